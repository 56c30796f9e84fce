// SPDX-License-Identifier: MIT
// The load with which a round begins is made again by the next one, which what
// comes behind the loop depends on. It does not depend on the load of a round
// that has failed, which may still be under way when another thread writes
// plainly because of that:
//
//  1  the last load decides what is written behind the loop
//  2  the same, with a barrier for all loads: no race
//
// run: flags=-DP=1 lkmm error race
// run: args=--definition flags=-DP=1 lkmm error race
// run: args=--jobs=2 flags=-DP=1 lkmm error race
// run: flags=-DP=2 lkmm ok 2
#include <linux/compiler.h>
#include <pthread.h>
#include <stddef.h>

static int x, told, data;

static void *waits(void *unused) {
  int seen;
  do {
    seen = READ_ONCE(data); // BUG
  } while (!READ_ONCE(x));
#if P == 2
  smp_mb();
#endif
  WRITE_ONCE(told, seen + 1);
  return unused;
}

static void *ends_wait(void *unused) {
  WRITE_ONCE(x, 1);
  return unused;
}

static void *changes(void *unused) {
  if (READ_ONCE(told)) {
    smp_mb();
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
