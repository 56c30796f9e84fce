// SPDX-License-Identifier: MIT
// Mutual exclusion in four ways, each right and in one way wrong (WRONG): two
// threads write the same plain variable, one after the other.
// run: flags=-DDEKKER rc11,c11,jam21 ok
// run: flags=-DDEKKER flags=-DWRONG rc11,c11,jam21 error race
// run: flags=-DMCS rc11,c11,jam21 ok
// run: flags=-DMCS flags=-DWRONG rc11,c11,jam21 error race
// run: flags=-DRW rc11,c11,jam21 ok
// run: flags=-DRW flags=-DWRONG rc11,c11,jam21 error race
#include "../common.h"

static int data;

#ifdef WRONG
#define OR(right, wrong) wrong
#else
#define OR(right, wrong) right
#endif

#ifdef DEKKER // relaxed flags, with fences
static atomic_int flag[2], turn;

static void lock(unsigned me) {
  store(&flag[me], 1, rlx);
  fence(OR(sc, acqrel));
  while (load(&flag[1 - me], rlx)) {
    if (load(&turn, rlx) != (int)me) {
      store(&flag[me], 0, rlx);
      while (load(&turn, rlx) != (int)me) {
      }
      store(&flag[me], 1, rlx);
      fence(OR(sc, acqrel));
    }
  }
  fence(acq);
}

static void unlock(unsigned me) {
  store(&turn, 1 - (int)me, rlx);
  fence(rel);
  store(&flag[me], 0, rlx);
}
#elif defined MCS // each waits at a gate of its own
struct waiter {
  struct waiter *_Atomic next;
  atomic_int gate;
};
static struct waiter *_Atomic last;
static struct waiter waiters[2];

static void lock(unsigned me) {
  struct waiter *w = &waiters[me];
  store(&w->next, NULL, rlx);
  store(&w->gate, 0, rlx);
  struct waiter *before = swap(&last, w, acqrel);
  if (!before)
    return;
  store(&before->next, w, rel);
  while (!load(&w->gate, OR(acq, rlx))) {
  }
}

static void unlock(unsigned me) {
  struct waiter *w = &waiters[me], *next = load(&w->next, acq);
  if (!next) {
    if (cas(&last, w, NULL, acqrel, rlx))
      return;
    while (!(next = load(&w->next, acq))) {
    }
  }
  store(&next->gate, 1, rel);
}
#else             // a counter that starts with a bias: writers take all of it
#define BIAS 0x100000
static atomic_int word = BIAS;

static void lock(unsigned me) {
  (void)me;
  while (fetch_add(&word, -BIAS, acq) != BIAS) {
    fetch_add(&word, BIAS, rlx);
    while (load(&word, rlx) != BIAS) {
    }
  }
}

static void unlock(unsigned me) {
  (void)me;
  fetch_add(&word, BIAS, OR(rel, rlx));
}
#endif

static void *body(void *number) {
  unsigned me = (unsigned)(uintptr_t)number;
  lock(me);
  data++; // BUG
  unlock(me);
  return NULL;
}

int main(void) {
  run(2, body);
  assert(data == 2);
  return 0;
}
