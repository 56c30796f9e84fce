// SPDX-License-Identifier: MIT
// A barrier with a sense: the last one that comes opens it without a release.
#include "hunt.h"
#define THREADS sized(8, 2)

static atomic_int arrived, sense, data[THREADS];

static void *body(void *arg) {
  unsigned me = (unsigned)(uintptr_t)arg;
  store(&data[me], 1, rlx);
  if (fetch_add(&arrived, 1, acqrel) == THREADS - 1)
    store(&sense, 1, planted(rel, rlx));
  else
    while (!load(&sense, acq))
      ;
  assert(load(&data[(me + 1) % THREADS], rlx) == 1);
  return NULL;
}

int main(void) {
  run(THREADS, body);
}
