// SPDX-License-Identifier: MIT
// What a failed round does may be wrong with what comes behind the loop:
//
//  1  it reads plainly what another thread writes when it is told so; barriers
//     for stores and for loads do not order that
//  2  the thread itself writes plainly what the round has read (a warning)
//  3  as 1, with barriers that order it
//
// run: flags=-DP=1 lkmm error race
// run: args=--definition flags=-DP=1 lkmm error race
// run: args=--error=mixed-accesses flags=-DP=2 lkmm error mixed-accesses
// run: flags=-DP=2 lkmm ok 1
// run: flags=-DP=3 lkmm ok 2
#include <linux/compiler.h>
#include <pthread.h>
#include <stddef.h>

static int x, told, data;

static int look(void) {
#if P == 2
  return READ_ONCE(data); // BUG
#else
  return data; // BUG
#endif
}

static void *waits(void *unused) {
  while (!READ_ONCE(x))
    if (look() == 5)
      return unused;
#if P == 1
  smp_wmb();
#elif P == 2
  data = 1;    // BUG
#else
  smp_mb();
#endif
  WRITE_ONCE(told, 1);
  return unused;
}

static void *ends_wait(void *unused) {
  WRITE_ONCE(x, 1);
  return unused;
}

static void *changes(void *unused) {
  if (P != 2 && READ_ONCE(told)) {
#if P == 1
    smp_rmb();
#else
    smp_mb();
#endif
    data = 1; // BUG
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  pthread_create(&t, NULL, ends_wait, NULL);
  pthread_create(&t, NULL, changes, NULL);
  return 0;
}
