// SPDX-License-Identifier: MIT
// Two threads that add to each other in atomic sections.
// run: sc,rc11,imm ok
extern void abort(void);
#include <assert.h>
void reach_error() {
  assert(0);
}
extern void __VERIFIER_atomic_begin();
extern void __VERIFIER_atomic_end();
#include <pthread.h>
#undef assert
#define assert(e)                                                              \
  if (!(e))                                                                    \
  ERROR:                                                                       \
    reach_error()
int p, i, j, q, cur = 1, prev = 0, next = 0;
#define N 2
void *t1(void *arg) {
  for (p = 0; p < N; p++) {
    __VERIFIER_atomic_begin();
    i = i + j;
    __VERIFIER_atomic_end();
  }
  pthread_exit(NULL);
}
void *t2(void *arg) {
  for (q = 0; q < N; q++) {
    __VERIFIER_atomic_begin();
    j = j + i;
    __VERIFIER_atomic_end();
  }
  pthread_exit(NULL);
}
int fib() {
  for (int x = 0; x < 2 * N + 2; x++) {
    next = prev + cur;
    prev = cur;
    cur = next;
  }
  return prev;
}
int main(int argc, char **argv) {
  pthread_t id1, id2;
  __VERIFIER_atomic_begin();
  i = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  j = 1;
  __VERIFIER_atomic_end();
  pthread_create(&id1, NULL, t1, NULL);
  pthread_create(&id2, NULL, t2, NULL);
  int correct = fib();
  __VERIFIER_atomic_begin();
  _Bool ok = i <= correct && j <= correct;
  __VERIFIER_atomic_end();
  assert(ok);
  return 0;
}
