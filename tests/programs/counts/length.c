// SPDX-License-Identifier: MIT
// One thread with thousands of loads has one execution.
// expect: all ok 1
#include "../common.h"

atomic_int x;

static void *thread(void *unused) {
  for (int i = 0; i < 4000; i++)
    load(&x, rlx);
  return unused;
}

int main(void) {
  run(1, thread);
  return 0;
}
