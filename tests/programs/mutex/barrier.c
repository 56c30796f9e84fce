// SPDX-License-Identifier: MIT
// A barrier that counts arrivals and turns a step: (R + 1)! for one writer and
// R readers. Without it the readers race with the writer.
// run: flags=-DR=1 all ok 2
// run: flags=-DR=2 all ok 6
// run: flags=-DR=3 all ok 24
// run: flags=-DSPIN flags=-DR=3 all ok 24
// run: flags=-DR=1 flags=-DNO_BARRIER sc,ra,rc11 error race
#include "../common.h"

static atomic_int step, arrived;
static int data;

static void wait(void) {
#ifndef NO_BARRIER
  int before = load(&step, sc);
  if (fetch_add(&arrived, 1, sc) == R) {
    store(&arrived, 0, sc);
    fetch_add(&step, 1, sc);
  } else {
    await(load(&step, sc) != before);
  }
#endif
}

static void *writer(void *unused) {
  data = 42; // BUG
  wait();
  return unused;
}

static void *reader(void *unused) {
  wait();
  int seen = data; // BUG
  assert(seen == 42);
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, writer, NULL);
  run(R, reader);
  pthread_join(id, NULL);
  return 0;
}
