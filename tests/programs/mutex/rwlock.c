// SPDX-License-Identifier: MIT
// A reader-writer lock in one word: a reader takes 1 of BIAS, a writer all. A
// failed attempt gives back what it took, then the thread stops.
// run: flags=-DW=1 flags=-DR=1 flags=-DB=0 all ok 2
// run: flags=-DW=2 flags=-DR=1 flags=-DB=0 all ok 6
// run: flags=-DW=2 flags=-DR=2 flags=-DB=0 all ok 48
// run: flags=-DW=0 flags=-DR=0 flags=-DB=2 all ok 14
// run: big flags=-DW=0 flags=-DR=0 flags=-DB=3 sc,rc11 ok 690
#include "../common.h"

#define BIAS 0x100000

static atomic_int lock_word = BIAS;
static int data;

static void take(int amount, int needed) {
  if (fetch_add(&lock_word, -amount, acq) < needed) {
    fetch_add(&lock_word, amount, rlx);
    heddle_assume(false);
  }
}

static void give(int amount) {
  fetch_add(&lock_word, amount, rel);
}

static int locked_read(void) {
  take(1, 1);
  int seen = data;
  give(1);
  return seen;
}

static void locked_write(int value) {
  take(BIAS, BIAS);
  data = value;
  give(BIAS);
}

static void *writer(void *unused) {
  locked_write(42);
  return unused;
}

static void *reader(void *unused) {
  (void)locked_read();
  return unused;
}

static void *both(void *unused) {
  (void)locked_read();
  locked_write(1);
  return unused;
}

int main(void) {
  pthread_t ids[3][MAX_THREADS];
  start(ids[0], W, writer);
  start(ids[1], R, reader);
  start(ids[2], B, both);
  return 0;
}
