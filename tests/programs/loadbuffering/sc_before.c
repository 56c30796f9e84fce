// SPDX-License-Identifier: MIT
// Store buffering before loads that are buffered: both threads may read 1 from
// what the other one does last; but they do not both read 0 before that if the
// first accesses are seq_cst. That holds in executions with load buffering too.
// run: xmm,imm ok
// run: flags=-DFIRST=rlx xmm,imm error assertion; rc11 ok
// run: flags=-DALWAYS=1 xmm,imm error assertion; rc11 ok
#include "../common.h"

#ifndef FIRST
#define FIRST sc
#endif
#ifndef ALWAYS
#define ALWAYS 0
#endif

static atomic_int x, y, a, b;
static bool old[2], buffered[2];

static void *one(void *unused) {
  store(&a, 1, FIRST);
  old[0] = !load(&b, FIRST);
  buffered[0] = load(&x, rlx);
  store(&y, 1, rlx);
  return unused;
}

static void *other(void *unused) {
  store(&b, 1, FIRST);
  old[1] = !load(&a, FIRST);
  buffered[1] = load(&y, rlx);
  store(&x, 1, rlx);
  return unused;
}

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, one, NULL);
  pthread_create(&ids[1], NULL, other, NULL);
  pthread_join(ids[0], NULL);
  pthread_join(ids[1], NULL);
  assert(!(buffered[0] && buffered[1] && (ALWAYS || (old[0] && old[1]))));
}
