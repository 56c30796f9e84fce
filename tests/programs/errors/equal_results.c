// SPDX-License-Identifier: MIT
// Equal threads with numbers whose results are other numbers: in the order in
// which they are created they happen to be the same. Each thread may come
// second.
// args: --symmetry on
// run: flags=-DWHO=0 sc,tso,ra,rc11,imm,armv8 error assertion
// run: flags=-DWHO=1 sc,tso,ra,rc11,imm,armv8 error assertion
// run: flags=-DWHO=2 sc,tso,ra,rc11,imm,armv8 error assertion
#include "../common.h"

static atomic_int next;

static void *take(void *number) {
  (void)number;
  return (void *)(uintptr_t)fetch_add(&next, 1, rlx);
}

int main(void) {
  pthread_t ids[3];
  void *result[3];
  start(ids, 3, take);
  for (int i = 0; i < 3; i++)
    pthread_join(ids[i], &result[i]);
  assert(result[WHO] != (void *)1); // BUG
  return 0;
}
