// SPDX-License-Identifier: MIT
// Michael and Scott's queue over an array of nodes: W threads enqueue, R
// dequeue, B do both. BLOCK: a dequeue whose attempt failed without an effect
// stops the thread.
// args: --explore-retries
// run: flags=-DW=1 flags=-DR=1 flags=-DB=0 all ok 4
// run: flags=-DW=2 flags=-DR=1 flags=-DB=0 all ok 148
// run: flags=-DW=0 flags=-DR=0 flags=-DB=2 all ok 114
// run: flags=-DW=1 flags=-DR=1 flags=-DB=0 flags=-DBLOCK all ok 3
// run: flags=-DW=2 flags=-DR=1 flags=-DB=0 flags=-DBLOCK all ok 94
// run: flags=-DW=0 flags=-DR=0 flags=-DB=2 flags=-DBLOCK all ok 50
#include "word.h"

// Nodes: 1 is the first dummy, then one for each thread that enqueues.
static _Atomic word head = 1, tail = 1;
static struct {
  _Atomic word next;
  unsigned value;
} nodes[2 + W + B];
static unsigned results[R + B + 1];

static void retry(void) {
#ifdef BLOCK
  heddle_assume(false);
#endif
}

static void enqueue(uint32_t own, unsigned value) {
  nodes[own].value = value;
  word before = load(&nodes[own].next, rlx);
  store(&nodes[own].next, word_of(0, count_of(before)), rlx);
  word t;
  for (;;) {
    t = load(&tail, acq);
    word n = load(&nodes[index_of(t)].next, acq);
    if (load(&tail, rlx) != t)
      continue;
    if (index_of(n) == 0 && cas(&nodes[index_of(t)].next, n,
                                word_of(own, count_of(n) + 1), rel, rlx))
      break;
    word q = load(&nodes[index_of(t)].next, acq);
    (void)cas(&tail, t, word_of(index_of(q), count_of(t) + 1), rel, rlx);
  }
  (void)cas(&tail, t, word_of(own, count_of(t) + 1), rel, rlx);
}

static bool dequeue(unsigned *value) {
  for (;;) {
    word h = load(&head, acq);
    word t = load(&tail, acq);
    word n = load(&nodes[index_of(h)].next, acq);
    if (load(&head, rlx) != h) {
      retry();
      continue;
    }
    if (index_of(h) == index_of(t)) {
      if (index_of(n) == 0)
        return false;
      if (!cas(&tail, t, word_of(index_of(n), count_of(t) + 1), rel, rlx))
        retry();
      continue;
    }
    *value = nodes[index_of(n)].value;
    heddle_assume(
        cas(&head, h, word_of(index_of(n), count_of(h) + 1), rel, rlx));
    return true;
  }
}

static void *enqueuer(void *number) {
  unsigned me = (unsigned)(uintptr_t)number;
  enqueue(2 + me, 666);
  return NULL;
}

static void *dequeuer(void *number) {
  unsigned me = (unsigned)(uintptr_t)number;
  dequeue(&results[me]);
  return NULL;
}

static void *both(void *number) {
  unsigned me = (unsigned)(uintptr_t)number;
  enqueue(2 + W + me, me);
  dequeue(&results[R + me]);
  return NULL;
}

int main(void) {
  pthread_t ids[3][MAX_THREADS];
  start(ids[0], W, enqueuer);
  start(ids[1], R, dequeuer);
  start(ids[2], B, both);
  return 0;
}
