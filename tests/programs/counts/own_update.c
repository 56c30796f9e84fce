// SPDX-License-Identifier: MIT
// Each thread updates an object of its own before it shows it: the updates are
// not ordered, only who shows its object when, so there are N! executions.
// run: flags=-DN=2 all ok 2
// run: flags=-DN=3 all ok 6
#include "../common.h"

#include <stdlib.h>

static _Atomic(atomic_int *) shown;

static void *thread(void *unused) {
  atomic_int *mine = calloc(1, sizeof *mine);
  fetch_add(mine, 1, rlx);
  store(&shown, mine, rel);
  return unused;
}

int main(void) {
  run(N, thread);
  return 0;
}
