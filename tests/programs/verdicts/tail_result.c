// SPDX-License-Identifier: MIT
// Main looks at the result of the first thread if it has read 1, and not if it
// has read 0. When the write of 1 revisits main's read, the first thread, from
// which that write comes, stays where it is, before its end: whether its result
// makes a difference must be asked again all the same, since main has moved.
// (The second thread's second read has two executions follow each other without
// that revisit, in which the result makes none; the third one's read puts off
// its end. The first executions are looked at
// as a whole, so there are 99 of no interest before the others.)
// run: flags=-DRESULT=1 all error assertion
// run: flags=-DRESULT=0 sc,tso,pso ok 107; ra,rc11,imm ok 109
#include "../common.h"

static atomic_int w, x, y, z;

static void *first(void *unused) {
  (void)unused;
  load(&z, rlx);
  store(&y, 1, rlx);
  return (void *)RESULT;
}

static void *second(void *unused) {
  (void)unused;
  if (load(&y, rlx)) {
    store(&x, 1, rlx);
    load(&z, rlx);
  }
  return NULL;
}

static void *third(void *unused) {
  (void)unused;
  store(&z, 1, rlx);
  load(&w, rlx);
  return NULL;
}

int main(void) {
  pthread_t ids[3];
  void *result;
  if (heddle_choose(0, 99) < 99)
    return 0;
  pthread_create(&ids[0], NULL, first, NULL);
  pthread_create(&ids[1], NULL, second, NULL);
  pthread_create(&ids[2], NULL, third, NULL);
  if (load(&x, rlx)) {
    pthread_join(ids[0], &result);
    assert(!result); // BUG
  } else {
    pthread_join(ids[0], NULL);
  }
  pthread_join(ids[1], NULL);
  pthread_join(ids[2], NULL);
  return 0;
}
