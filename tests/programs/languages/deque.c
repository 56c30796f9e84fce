// SPDX-License-Identifier: MIT
// A work-stealing deque (Chase and Lev) whose array grows: its owner pushes
// three values into room for two and takes twice, a thief steals once. What is
// stolen is one of the pushed values. With a relaxed pointer to the array
// (POINTER, SEEN) a thief may find the new one before anything is in it.
// args: --disable leak
// run: flags=-DPOINTER=rel flags=-DSEEN=acq rc11,c11,jam21 ok
// run: flags=-DPOINTER=rlx flags=-DSEEN=acq args=--disable args=alloc-race rc11,c11,jam21 error uninitialized-atomic
// run: flags=-DPOINTER=rel flags=-DSEEN=rlx args=--disable args=alloc-race rc11,c11,jam21 error uninitialized-atomic
// run: flags=-DPOINTER=rlx flags=-DSEEN=acq rc11,c11,jam21 error alloc-race
// run: flags=-DPOINTER=rel flags=-DSEEN=acq flags=-DPUSHED=acq rc11,c11,jam21 error uninitialized-atomic
#include "../common.h"

#ifndef PUSHED
#define PUSHED rel
#endif
#ifndef STEAL
#define STEAL sc
#endif
#ifndef THIEVES
#define THIEVES 1
#endif

enum { EMPTY = -1, ABORT = -2 };

struct array {
  atomic_long size;
  atomic_int cells[4];
};

static atomic_long top, bottom;
static struct array *_Atomic array;

static struct array *make(long size) {
  struct array *a = malloc(sizeof *a);
  store(&a->size, size, rlx);
  return a;
}

static int at(struct array *a, long i) {
  return load(&a->cells[i % load(&a->size, rlx)], rlx); // BUG
}

static void put(struct array *a, long i, int value) {
  store(&a->cells[i % load(&a->size, rlx)], value, rlx);
}

static struct array *grow(struct array *old, long t, long b) {
  struct array *a = make(2 * load(&old->size, rlx));
  for (long i = t; i < b; i++)
    put(a, i, at(old, i));
  store(&array, a, POINTER);
  return a;
}

static void push(int value) {
  long b = load(&bottom, rlx), t = load(&top, acq);
  struct array *a = load(&array, rlx);
  if (b - t > load(&a->size, rlx) - 1)
    a = grow(a, t, b);
  put(a, b, value);
  fence(PUSHED);
  store(&bottom, b + 1, rlx);
}

static int take(void) {
  long b = load(&bottom, rlx) - 1;
  struct array *a = load(&array, rlx);
  store(&bottom, b, rlx);
  fence(sc);
  long t = load(&top, rlx);
  int value = EMPTY;
  if (t <= b) {
    value = at(a, b);
    if (t == b) {
      if (!cas(&top, t, t + 1, sc, rlx))
        value = EMPTY;
      store(&bottom, b + 1, rlx);
    }
  } else {
    store(&bottom, b + 1, rlx);
  }
  return value;
}

static int steal(void) {
  long t = load(&top, acq);
  fence(sc);
  long b = load(&bottom, acq);
  if (t >= b)
    return EMPTY;
  struct array *a = load(&array, SEEN);
  int value = at(a, t);
  return cas(&top, t, t + 1, STEAL, rlx) ? value : ABORT;
}

static void *thief(void *unused) {
  int value = steal();
  assert(value == EMPTY || value == ABORT || value == 1 || value == 2 ||
         value == 4); // BUG
  return unused;
}

int main(void) {
  pthread_t ids[THIEVES];
  store(&array, make(2), rlx);
  start(ids, THIEVES, thief);
  push(1);
  push(2);
#ifndef SMALL
  push(4);
  take();
#endif
  take();
  join(ids, THIEVES);
  return 0;
}
