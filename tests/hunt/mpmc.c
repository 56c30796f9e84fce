// SPDX-License-Identifier: MIT
// A bounded queue with a sequence number in each cell: a consumer gives its
// cell back without a release, so that a producer may write what is read.
#include "hunt.h"
#define CELLS 2
#define PRODUCERS sized(5, 3)
#define CONSUMERS sized(3, 2)

static struct {
  atomic_uint sequence;
  atomic_int data;
} cells[CELLS];
static atomic_uint enqueue, dequeue;

static bool put(int data) {
  unsigned at = load(&enqueue, rlx);
  if (load(&cells[at % CELLS].sequence, acq) != at ||
      !cas(&enqueue, at, at + 1, rlx, rlx))
    return false;
  store(&cells[at % CELLS].data, data, rlx);
  store(&cells[at % CELLS].sequence, at + 1, rel);
  return true;
}

static int get(void) {
  unsigned at = load(&dequeue, rlx);
  if (load(&cells[at % CELLS].sequence, acq) != at + 1 ||
      !cas(&dequeue, at, at + 1, rlx, rlx))
    return 0;
  int data = load(&cells[at % CELLS].data, rlx);
  store(&cells[at % CELLS].data, 0, rlx); // taken
  store(&cells[at % CELLS].sequence, at + CELLS, planted(rel, rlx));
  assert(data != 0);
  return data;
}

static void *producer(void *arg) {
  put((int)(uintptr_t)arg + 1);
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  get();
  get();
  return NULL;
}

int main(void) {
  pthread_t p[PRODUCERS], c[CONSUMERS];
  for (unsigned i = 0; i < CELLS; i++)
    atomic_init(&cells[i].sequence, i);
  start(p, PRODUCERS, producer);
  start(c, CONSUMERS, consumer);
  join(p, PRODUCERS);
  join(c, CONSUMERS);
}
