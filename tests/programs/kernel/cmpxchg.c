// SPDX-License-Identifier: MIT
// Compare-exchanges of the kernel, of all orders and sizes: a message that is
// taken by one, or sent by one; and one that fails, which orders nothing.
// run: flags=-DTAKE=cmpxchg lkmm ok 2
// run: flags=-DTAKE=cmpxchg_acquire lkmm ok 2
// run: flags=-DTAKE=cmpxchg_acquire flags=-DT=char lkmm ok 2
// run: flags=-DTAKE=cmpxchg_acquire flags=-DT=long lkmm ok 2
// run: flags=-DTAKE=cmpxchg_relaxed lkmm error race
// run: flags=-DTAKE=cmpxchg_release lkmm error race
// run: flags=-DSEND=cmpxchg lkmm ok 2
// run: flags=-DSEND=cmpxchg_release lkmm ok 2
// run: flags=-DSEND=cmpxchg_relaxed lkmm error race
// run: flags=-DSEND=cmpxchg_acquire lkmm error race
// run: flags=-DEXPECTED=0 lkmm ok 3
// run: flags=-DEXPECTED=5 lkmm error assertion
#include <linux/atomic.h>
#include <pthread.h>

#ifndef T
#define T int
#endif
static T flag, x, y, z;
static int message, first, second;

#ifdef EXPECTED
static void *sender(void *unused) {
  WRITE_ONCE(x, 1);
  cmpxchg(&z, EXPECTED, 6);
  first = READ_ONCE(y);
  return unused;
}
static void receive(void) {
  WRITE_ONCE(y, 1);
  smp_mb();
  second = READ_ONCE(x);
}
#else
static void *sender(void *unused) {
  message = 1; // BUG
#ifdef SEND
  assert(SEND(&flag, 0, 1) == 0);
#else
  smp_store_release(&flag, 1);
#endif
  return unused;
}
static void receive(void) {
#ifdef TAKE
  if (TAKE(&flag, 1, 2) == 1)
#else
  if (smp_load_acquire(&flag) == 1)
#endif
    assert(message == 1); // BUG
}
#endif

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sender, NULL);
  receive();
  pthread_join(t, NULL);
#ifdef EXPECTED
  assert(first || second); // BUG
#endif
  return 0;
}
