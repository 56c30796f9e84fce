// SPDX-License-Identifier: MIT
// Increments that are no RMWs: a load and a store in each thread, (N!)^2.
// run: flags=-DN=2 all ok 4
// run: flags=-DN=3 all ok 36
// run: flags=-DN=4 all ok 576
#include "../common.h"

atomic_int x;

static void *thread(void *number) {
  int seen = load(&x, rlx);
  store(&x, seen + (1 << (uintptr_t)number), rel);
  return NULL;
}

int main(void) {
  run(N, thread);
  return 0;
}
