// SPDX-License-Identifier: MIT
// Two threads work alone for N rounds and meet at the end: 4 executions,
// however long the way was.
// run: flags=-DN=5 all ok 4
// run: flags=-DN=50 all ok 4
// run: flags=-DN=400 all ok 4
// run: flags=-DN=600 all ok 4
#include "../common.h"

atomic_int own[2], v;

static void *thread(void *number) {
  uintptr_t k = (uintptr_t)number;
  for (int i = 0; i < N; i++) {
    store(&own[k], i, sc);
    load(&own[k], sc);
  }
  store(&v, (int)k, sc);
  load(&v, sc);
  return NULL;
}

int main(void) {
  run(2, thread);
  return 0;
}
