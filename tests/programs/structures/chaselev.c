// SPDX-License-Identifier: MIT
// Chase and Lev's work-stealing deque: the owner does A pushes, B pops and C
// pushes, and T thieves steal (the first STEALS times, the others once). Its
// slots race, which is looked away from for the count. (A peer has 2312 for
// the fifth row under ra. Ours are 2316 different graphs, each of which
// satisfies the axioms by the slow-check build; sc, tso and rc11 agree.)
// args: --disable race
// run: flags=-DA=1 flags=-DB=1 flags=-DC=0 flags=-DT=1 all ok 8
// run: flags=-DA=2 flags=-DB=1 flags=-DC=0 flags=-DT=1 sc,tso ok 8; ra,rc11,imm ok 10
// run: flags=-DA=5 flags=-DB=3 flags=-DC=2 flags=-DT=1 sc,tso ok 59; ra,rc11,imm ok 65
// run: flags=-DA=5 flags=-DB=3 flags=-DC=2 flags=-DT=2 sc ok 3065; tso ok 3175; ra ok 4395; rc11,imm ok 3639
// run: flags=-DA=2 flags=-DB=1 flags=-DC=1 flags=-DT=2 flags=-DSTEALS=2 sc,tso ok 1373; ra ok 2316; rc11,imm ok 1924
// run: big flags=-DA=5 flags=-DB=3 flags=-DC=2 flags=-DT=3 rc11 ok 306706
#include "../common.h"

#define SLOTS 10
#ifndef STEALS
#define STEALS 1
#endif

static int slots[SLOTS];
static atomic_int bottom, top;

static void push(int value) {
  int b = load(&bottom, rlx);
  int t = load(&top, acq);
  if (b - t >= SLOTS)
    return;
  slots[b % SLOTS] = value;
  store(&bottom, b + 1, rel);
}

static int pop(void) {
  int b = load(&bottom, rlx);
  store(&bottom, b - 1, rlx);
  fence(sc);
  int t = load(&top, rlx);
  int size = b - t;
  if (size <= 0) {
    store(&bottom, b, rlx);
    return -1;
  }
  int value = slots[(b - 1) % SLOTS];
  if (size > 1)
    return value;
  bool won = cas(&top, t, t + 1, acqrel, rlx);
  store(&bottom, b, rlx);
  return won ? value : -1;
}

static int steal(void) {
  int t = load(&top, rlx);
  fence(sc);
  int b = load(&bottom, acq);
  if (b - t <= 0)
    return -1;
  int value = slots[t % SLOTS];
  return cas(&top, t, t + 1, rel, rlx) ? value : -1;
}

static void *owner(void *unused) {
  for (int i = 0; i < A; i++)
    push(i);
  for (int i = 0; i < B; i++)
    (void)pop();
  for (int i = 0; i < C; i++)
    push(i);
  return unused;
}

static void *thief(void *number) {
  for (int i = 0; i < ((uintptr_t)number == 0 ? STEALS : 1); i++)
    (void)steal();
  return NULL;
}

int main(void) {
  pthread_t ids[T];
  spawn(owner);
  start(ids, T, thief);
  return 0;
}
