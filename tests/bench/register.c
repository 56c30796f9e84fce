// SPDX-License-Identifier: MIT
// W threads write one word, R threads read it: W! orders of the writes, and
// each read takes any of W + 1 values: (W + 1)^R * W! executions.
#include "../programs/common.h"

atomic_int x;

static void *reader(void *unused) {
  load(&x, acq);
  return unused;
}

static void *writer(void *number) {
  store(&x, (int)(uintptr_t)number, rel);
  return NULL;
}

int main(void) {
  for (int i = 0; i < R; i++)
    spawn(reader);
  run(W, writer);
  return 0;
}
