// SPDX-License-Identifier: MIT
// Treiber's stack over an array of nodes, W pushing and R popping threads. A
// lost compare-exchange starts again (explored) or stops the thread
// (BLOCK_POP, BLOCK_PUSH). With a relaxed push the value races.
// args: --explore-retries
// run: flags=-DW=1 flags=-DR=1 all ok 2
// run: flags=-DW=2 flags=-DR=1 all ok 22
// run: flags=-DW=2 flags=-DR=2 all ok 220
// run: flags=-DW=3 flags=-DR=1 all ok 1062
// run: flags=-DW=2 flags=-DR=1 flags=-DBLOCK_POP all ok 18
// run: flags=-DW=3 flags=-DR=1 flags=-DBLOCK_POP all ok 666
// run: flags=-DW=2 flags=-DR=1 flags=-DBLOCK_POP flags=-DBLOCK_PUSH all ok 6
// run: flags=-DW=1 flags=-DR=1 flags=-DPUSH=rlx ra,rc11 error race
#include "word.h"

#ifndef PUSH
#define PUSH rel
#endif

static _Atomic word top;
static struct {
  _Atomic word next;
  unsigned value;
} nodes[W + 1];
static atomic_uint x[W];

static void *writer(void *number) {
  unsigned me = (unsigned)(uintptr_t)number;
  store(&x[me], me + 42, rlx);
  nodes[me + 1].value = me;
  for (;;) {
    word old = load(&top, acq);
    store(&nodes[me + 1].next, old, rlx);
    if (cas(&top, old, word_of(me + 1, count_of(old) + 1), PUSH, rlx))
      return NULL;
#ifdef BLOCK_PUSH
    heddle_assume(false);
#endif
  }
}

static void *reader(void *unused) {
  for (;;) {
    word old = load(&top, acq);
    if (index_of(old) == 0)
      return unused;
    word next = load(&nodes[index_of(old)].next, rlx);
    if (cas(&top, old, word_of(index_of(next), count_of(old) + 1), rel, rlx)) {
      unsigned value = nodes[index_of(old)].value;
      if (value != 0)
        load(&x[value], rlx);
      return unused;
    }
#ifdef BLOCK_POP
    heddle_assume(false);
#endif
  }
}

int main(void) {
  pthread_t writers[W];
  start(writers, W, writer);
  run(R, reader);
  join(writers, W);
  return 0;
}
