// SPDX-License-Identifier: MIT
// When main writes 10, the update of x reads that instead of 0, and its own
// write has to be done again: before main goes on to write 20. Otherwise it
// would not be the newest when it is added, so it would count as a choice that
// no revisit may delete, and those in which y is read as 1 would be missed.
//
// What is read of y, of x and of the flag does not depend on each other, under
// any model: each thread makes one read only, and nobody who reads y or x tells
// anybody else. So there are 2 * 3 * 2 executions.
// expect: all ok 12
#include "../common.h"

static atomic_int x, y, flag, other;

static void *reads(void *unused) {
  (void)unused;
  load(&y, rlx);
  return NULL;
}

static void *updates(void *unused) {
  (void)unused;
  fetch_add(&x, 1, rlx);
  return NULL;
}

// Main writes when this one has ended, which is behind the reads of the others.
static void *ends(void *unused) {
  (void)unused;
  load(&other, rlx);
  return NULL;
}

static void *writes(void *unused) {
  (void)unused;
  load(&flag, rlx);
  store(&y, 1, rlx);
  return NULL;
}

int main(void) {
  pthread_t reader, updater, ending, writer;
  pthread_create(&reader, NULL, reads, NULL);
  pthread_create(&updater, NULL, updates, NULL);
  pthread_create(&ending, NULL, ends, NULL);
  pthread_create(&writer, NULL, writes, NULL);
  pthread_join(ending, NULL);
  store(&x, 10, rlx);
  store(&flag, 1, rlx);
  store(&x, 20, rlx);
  pthread_join(reader, NULL);
  pthread_join(updater, NULL);
  pthread_join(writer, NULL);
  return 0;
}
