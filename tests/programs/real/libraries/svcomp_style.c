// SPDX-License-Identifier: MIT
// The style of verification competitions: declarations of its own, atomic
// functions, choices, an error function, no header but <pthread.h>. (Only some
// numbers are tried, so nothing is said of the others.)
// expect: all incomplete
// run: flags=-DWRONG all error assertion
#include <pthread.h>

extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *)
    __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
void reach_error() {
  __assert_fail("0", "file.c", 3, __extension__ __PRETTY_FUNCTION__); // BUG
}
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void assume_abort_if_not(int cond) {
  if (!cond)
    abort();
}
#define assert(e)                                                              \
  {                                                                            \
    if (!(e)) {                                                                \
    ERROR : {                                                                  \
      reach_error();                                                           \
      (void)0;                                                                 \
    }                                                                          \
    }                                                                          \
  }

int flag, held, turns;

void __VERIFIER_atomic_take(void) {
  __VERIFIER_assume(flag == 0);
  flag = 1;
}

void __VERIFIER_atomic_give(void) {
#ifdef WRONG
  if (turns == 1)
    return;
#endif
  flag = 0;
}

void *thr(void *arg) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= 1);
  for (int i = 0; i < n; i++) {
    __VERIFIER_atomic_take();
    held++;
    assert(held == 1);
    held--;
    turns++;
    __VERIFIER_atomic_give();
  }
  return arg;
}

int main() {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thr, 0);
  pthread_create(&t2, 0, thr, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assert(flag == 0);
  return 0;
}
