// SPDX-License-Identifier: MIT
// A bounded queue of four slots for many producers and consumers: one word
// counts the reads (high half) and writes (low half) that started, two
// counters those that ended. BLOCK: a lost compare-exchange stops the thread.
// args: --explore-retries
// run: flags=-DW=1 flags=-DR=1 all ok 6
// run: flags=-DW=1 flags=-DR=2 sc,tso ok 136; ra,rc11,imm ok 152
// run: flags=-DW=2 flags=-DR=1 all ok 288
// run: flags=-DW=1 flags=-DR=1 flags=-DBLOCK all ok 3
// run: flags=-DW=1 flags=-DR=2 flags=-DBLOCK all ok 16
#include "../common.h"

#define SLOTS 4

static atomic_uint started, read_done, write_done;
static int slots[SLOTS];

static unsigned low(unsigned w) {
  return w & 0xffff;
}

static unsigned high(unsigned w) {
  return w >> 16;
}

static void lost(void) {
#ifdef BLOCK
  heddle_assume(false);
#endif
}

static int *prepare_write(void) {
  unsigned seen = load(&started, acq);
  for (;;) {
    if (low(seen) == ((high(seen) + SLOTS) & 0xffff))
      return NULL;
    unsigned next = high(seen) << 16 | ((low(seen) + 1) & 0xffff);
    if (atomic_compare_exchange_strong_explicit(&started, &seen, next, acqrel,
                                                rlx))
      break;
    lost();
  }
  heddle_assume(load(&read_done, acq) == high(seen));
  return &slots[low(seen) % SLOTS];
}

static void publish(void) {
  fetch_add(&write_done, 1, rel);
}

static int *fetch(void) {
  unsigned seen = load(&started, acq);
  for (;;) {
    if (low(seen) == high(seen))
      return NULL;
    unsigned next = ((high(seen) + 1) & 0xffff) << 16 | low(seen);
    if (atomic_compare_exchange_strong_explicit(&started, &seen, next, acqrel,
                                                rlx))
      break;
    lost();
  }
  heddle_assume(load(&write_done, acq) == low(seen));
  return &slots[high(seen) % SLOTS];
}

static void consume(void) {
  fetch_add(&read_done, 1, rel);
}

static void *writer(void *unused) {
  int *slot = prepare_write();
  if (slot) {
    *slot = 1;
    publish();
  }
  return unused;
}

static void *reader(void *unused) {
  while (fetch())
    consume();
  return unused;
}

int main(void) {
  *prepare_write() = 17;
  publish();
  pthread_t writers[W];
  start(writers, W, writer);
  run(R, reader);
  join(writers, W);
  return 0;
}
