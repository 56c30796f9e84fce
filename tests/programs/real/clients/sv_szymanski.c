// SPDX-License-Identifier: MIT
// A waiting room with a door, as competitions have it: plain variables, and
// every step atomic by a prefix.
// run: flags=-DWRONG rc11 error assertion
// run: rc11 ok
extern void abort(void);
#include <assert.h>
#include <pthread.h>
void reach_error(void) {
  assert(0);
}
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int flag1 = 0, flag2 = 0;
int x;

#define ATOMIC(s)                                                              \
  do {                                                                         \
    __VERIFIER_atomic_begin();                                                 \
    s;                                                                         \
    __VERIFIER_atomic_end();                                                   \
  } while (0)

void *thr1(void *_) {
  int f;
  ATOMIC(flag1 = 1);
  ATOMIC(f = flag2);
  while (f >= 3)
    ATOMIC(f = flag2);
  ATOMIC(flag1 = 3);
  ATOMIC(f = flag2);
  if (f == 1) {
    ATOMIC(flag1 = 2);
    ATOMIC(f = flag2);
    while (f != 4)
      ATOMIC(f = flag2);
  }
  ATOMIC(flag1 = 4);
  ATOMIC(x = 0);
  int seen;
  ATOMIC(seen = x);
  if (!(seen <= 0)) {
  ERROR:
    reach_error();
    abort();
  }
  ATOMIC(f = flag2);
  while (2 <= f && f <= 3)
    ATOMIC(f = flag2);
  ATOMIC(flag1 = 0);
  return 0;
}
void *thr2(void *_) {
  int f;
  ATOMIC(flag2 = 1);
  ATOMIC(f = flag1);
  while (f >= 3)
    ATOMIC(f = flag1);
  ATOMIC(flag2 = 3);
  ATOMIC(f = flag1);
  if (f == 1) {
    ATOMIC(flag2 = 2);
    ATOMIC(f = flag1);
    while (f != 4)
      ATOMIC(f = flag1);
  }
  ATOMIC(flag2 = 4);
  ATOMIC(f = flag1);
#ifndef WRONG
  while (f >= 2)
    ATOMIC(f = flag1);
#endif
  ATOMIC(x = 1);
  int seen;
  ATOMIC(seen = x);
  if (!(seen >= 1)) {
  ERROR:
    reach_error();
    abort();
  }
  ATOMIC(flag2 = 0);
  return 0;
}
int main() {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thr1, 0);
  pthread_create(&t2, 0, thr2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
