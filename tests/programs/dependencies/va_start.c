// SPDX-License-Identifier: MIT
// va_start writes a va_list. Which one depends on what was read here, so every
// later load from private memory does (it might have been the va_list), and load
// buffering is forbidden. PLAIN: the va_list is always the same one.
// run: imm,armv8 ok 3
// run: flags=-DPLAIN imm,armv8 ok 4
#include "../common.h"

#include <stdarg.h>

static atomic_int x, y;

static void choose(int r, ...) {
  va_list lists[2];
  int ones[2] = {1, 1};
  volatile int first = 0;
#ifdef PLAIN
  va_start(lists[0], r);
  va_end(lists[0]);
#else
  va_start(lists[r], r);
  va_end(lists[r]);
#endif
  store(&y, ones[first], rlx);
}

static void *left(void *unused) {
  choose(load(&x, rlx), 1);
  return unused;
}

static void *right(void *unused) {
  int r = load(&y, rlx);
  store(&x, 1 + (r ^ r), rlx);
  return unused;
}

int main(void) {
  pthread_t l, r;
  pthread_create(&l, NULL, left, NULL);
  pthread_create(&r, NULL, right, NULL);
  pthread_join(l, NULL);
  pthread_join(r, NULL);
  return 0;
}
