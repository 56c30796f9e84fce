// SPDX-License-Identifier: MIT
// Thread i turns i into i + 1 if it comes in time:
// the sum over i = 0..N of (i + 1)^(N - i) - i^(N - i).
// run: flags=-DN=2 all ok 2
// run: flags=-DN=3 all ok 5
// run: flags=-DN=4 all ok 14
// run: flags=-DN=5 all ok 43
// run: flags=-DN=6 all ok 144
// run: flags=-DN=7 all ok 523
// run: flags=-DN=8 all ok 2048
// run: big flags=-DN=9 all ok 8597
#include "../common.h"

atomic_int x;

static void *thread(void *number) {
  int i = (int)(uintptr_t)number;
  (void)cas(&x, i, i + 1, rlx, rlx);
  return NULL;
}

int main(void) {
  run(N, thread);
  return 0;
}
