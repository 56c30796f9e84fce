// SPDX-License-Identifier: MIT
// One writer, and N threads that compete for its value: 1 + N 2^(N-1).
// run: flags=-DN=2 all ok 5
// run: flags=-DN=3 all ok 13
// run: flags=-DN=4 all ok 33
// run: flags=-DN=5 all ok 81
// run: flags=-DN=6 all ok 193
// run: flags=-DN=7 all ok 449
// run: flags=-DN=8 all ok 1025
// run: flags=-DN=9 all ok 2305
#include "../common.h"

atomic_int x;

static void *writer(void *unused) {
  store(&x, 2, rel);
  return unused;
}

static void *thread(void *unused) {
  (void)cas(&x, 2, 3, rlx, rlx);
  return unused;
}

int main(void) {
  spawn(writer);
  run(N, thread);
  return 0;
}
