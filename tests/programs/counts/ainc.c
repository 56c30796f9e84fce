// SPDX-License-Identifier: MIT
// N threads add 1: the increments happen in any order, N!.
// run: flags=-DN=2 all ok 2
// run: flags=-DN=3 all ok 6
// run: flags=-DN=4 all ok 24
// run: flags=-DN=5 all ok 120
// run: flags=-DN=6 all ok 720
// run: flags=-DN=7 all ok 5040
// run: big flags=-DN=8 all ok 40320
#include "../common.h"

atomic_int x;

static void *thread(void *unused) {
  fetch_add(&x, 1, rlx);
  return unused;
}

int main(void) {
  run(N, thread);
  assert(load(&x, rlx) == N);
  return 0;
}
