// SPDX-License-Identifier: MIT
// Two identical threads that store relaxed to x are fine, and two executions:
// the writes differ although their values do not.
// expect: all ok 2
#include "../common.h"

static atomic_int x;

static void *thread(void *unused) {
  store(&x, 1, rlx);
  return unused;
}

int main(void) {
  run(2, thread);
  return 0;
}
