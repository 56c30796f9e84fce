// SPDX-License-Identifier: MIT
// A compare-exchange that may win, then a store of its own, in each thread.
// run: flags=-DN=2 all ok 6
// run: flags=-DN=3 all ok 66
// run: flags=-DN=4 all ok 1200
// run: big flags=-DN=5 all ok 32880
#include "../common.h"

atomic_int x;

static void *thread(void *number) {
  (void)cas(&x, 0, 1, rlx, rlx);
  store(&x, (int)(uintptr_t)number + 3, rel);
  return NULL;
}

int main(void) {
  run(N, thread);
  return 0;
}
