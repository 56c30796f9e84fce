// SPDX-License-Identifier: MIT
// Functions named __VERIFIER_atomic_... exclude each other, also when one calls
// another, and so do the sections between atomic_begin and atomic_end.
// expect: all ok 6
// run: flags=-DPLAIN all error race
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int count;

static void __VERIFIER_atomic_add(int n) {
  count += n; // BUG
}

int __VERIFIER_atomic_next(void) {
  __VERIFIER_atomic_add(1);
  if (count == 1)
    return 0;
  return count - 1;
}

static void *with_function(void *arg) {
  (void)arg;
  return (void *)(long)__VERIFIER_atomic_next();
}

static void *with_marks(void *arg) {
  __VERIFIER_atomic_begin();
  __VERIFIER_atomic_begin();
  count++; // BUG
  __VERIFIER_atomic_end();
  count += 2;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t a, b;
  void *first;
  pthread_create(&a, NULL, with_function, NULL);
  pthread_create(&b, NULL, with_marks, NULL);
#ifdef PLAIN
  count++; // BUG
#else
  __VERIFIER_atomic_next();
#endif
  pthread_join(a, &first);
  pthread_join(b, NULL);
  assert(count == 5);
  return 0;
}
