// SPDX-License-Identifier: MIT
// N threads try to be the first: N winners, and a loser reads the winner.
// run: flags=-DN=2 all ok 2
// run: flags=-DN=3 all ok 3
// run: flags=-DN=4 all ok 4
// run: flags=-DN=5 all ok 5
#include "../common.h"

atomic_int x;

static void *thread(void *number) {
  (void)cas(&x, 0, (int)(uintptr_t)number + 1, rlx, rlx);
  return NULL;
}

int main(void) {
  run(N, thread);
  return 0;
}
