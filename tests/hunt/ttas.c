// SPDX-License-Identifier: MIT
// A test-and-test-and-set lock: who had to look again takes it without an
// acquire.
#include "hunt.h"
#define THREADS sized(5, 3)

static atomic_int lock, data, order;

static void acquire(void) {
  if (!swap(&lock, 1, acq))
    return;
  do
    while (load(&lock, rlx))
      ;
  while (swap(&lock, 1, planted(acq, rlx)));
}

static void *body(void *unused) {
  (void)unused;
  acquire();
  store(&data, load(&data, rlx) + 1, rlx);
  store(&lock, 0, rel);
  fetch_add(&order, 1, rlx);
  return NULL;
}

int main(void) {
  run(THREADS, body);
  assert(load(&data, rlx) == THREADS);
}
