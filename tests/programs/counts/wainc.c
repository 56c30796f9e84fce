// SPDX-License-Identifier: MIT
// One writer and N increments: (N + 1)!.
// run: flags=-DN=2 all ok 6
// run: flags=-DN=3 all ok 24
// run: flags=-DN=4 all ok 120
#include "../common.h"

atomic_int x;

static void *writer(void *unused) {
  store(&x, 42, rel);
  return unused;
}

static void *thread(void *unused) {
  fetch_add(&x, 1, rlx);
  return unused;
}

int main(void) {
  spawn(writer);
  run(N, thread);
  return 0;
}
