// SPDX-License-Identifier: MIT
// A loop that waits, and ends its section of RCU in each round and begins
// another one: without its rounds there is one long section, which no grace
// period passes. So what is behind the loop is not all there is.
//
//  1  the assertion fails where a grace period has passed in a round
//  2  the same with SRCU
//  3  each round has a section of its own, as what is before the loop
//
// run: flags=-DP=1 lkmm incomplete
// run: args=--unroll=2 flags=-DP=1 lkmm error assertion
// run: flags=-DP=2 lkmm incomplete
// run: args=--unroll=2 flags=-DP=2 lkmm error assertion
// run: flags=-DP=3 lkmm error assertion
#include <lkmm.h>
#include <pthread.h>

static int x, y;
static struct srcu_struct s;

#if P == 2
#define lock() (index = srcu_read_lock(&s))
#define unlock() srcu_read_unlock(&s, index)
#define synchronize() synchronize_srcu(&s)
#else
#define lock() rcu_read_lock()
#define unlock() rcu_read_unlock()
#define synchronize() synchronize_rcu()
#endif

static void *reader(void *unused) {
  int index = 0, r;
  lock();
  r = READ_ONCE(y);
#if P == 3
  unlock();
#endif
  while (!READ_ONCE(x)) {
#if P == 3
    lock();
    unlock();
#else
    unlock();
    lock();
#endif
  }
#if P != 3
  unlock();
#endif
  (void)index;
  assert(r); // BUG
  return unused;
}

static void *writer(void *unused) {
  WRITE_ONCE(y, 1);
  synchronize();
  WRITE_ONCE(x, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  pthread_create(&t, NULL, writer, NULL);
  return 0;
}
