// SPDX-License-Identifier: MIT
// A failed round looks at data. What follows the loop tells another thread to
// change them, by a relaxed store: the two accesses race. The thread that waits
// and what comes of its going on are in one execution only with the round.
//
//  1  the round only reads
//  2  its reads are behind a mutex
//  3  the same with a lock of the program's own
//  4  a loop that tries again
//  5  the data are freed
//  6  they are a variable of the other thread, which ends
//  7  the round changes nothing, but stores what is there
//  8  a chain of two threads tells the other one
//
// run: flags=-DP=1 sc,tso,pso,ra,rc11,imm,armv8,c11,xmm,jam21 error race
// run: flags=-DP=2 sc,rc11,imm,armv8,xmm error race
// run: flags=-DP=3 sc,rc11,imm,armv8,xmm error race
// run: flags=-DP=4 sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error race
// run: flags=-DP=5 sc,rc11,imm,armv8 error free-race
// run: flags=-DP=6 sc,rc11,imm,armv8 error free-race
// run: flags=-DP=7 sc,rc11,imm,armv8 error race
// run: flags=-DP=8 sc,rc11,imm,armv8 error race
// run: args=--jobs=2 flags=-DP=1 rc11,imm error race
// Nothing is wrong if the store is a release and who is told acquires, or if
// races are none: then there are two executions, as for whoever reads `go`
// alone.
// run: flags=-DP=1 flags=-DRIGHT sc,tso,rc11,imm,armv8,c11,xmm ok 2
// run: flags=-DP=4 flags=-DRIGHT sc,rc11,imm,armv8 ok 2
// run: flags=-DP=5 flags=-DRIGHT sc,rc11,imm,armv8 ok 2
// run: args=--disable=race flags=-DP=1 sc,rc11,imm,armv8 ok 2
// Nor is it if the loop runs twice, and looks at the data only the first time,
// which the release ends. Rounds are kept in vain then, since it is the same
// code, and executions with them do not count.
// run: flags=-DP=1 flags=-DVAIN sc,tso,rc11,imm,armv8,c11,xmm ok 3
// run: args=--jobs=2 flags=-DP=1 flags=-DVAIN rc11,armv8 ok 3
#include "../common.h"

#ifdef RIGHT
enum { TELL = rel, ASK = acq };
#else
enum { TELL = rlx, ASK = rlx };
#endif

static atomic_int x, y, behind, go, told;
static int data, *at = &data;

#if P == 2
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#elif P == 3
static atomic_int held;
#elif P == 6
static _Thread_local int own;
static int *_Atomic owned;
#endif

static int look(void) {
#if P == 2
  pthread_mutex_lock(&m);
  int seen = *at; // BUG
  pthread_mutex_unlock(&m);
#elif P == 3
  while (swap(&held, 1, acq))
    continue;
  int seen = *at; // BUG
  store(&held, 0, rel);
#elif P == 6
  int *p = load(&owned, acq);
  int seen = p ? *p : 0; // BUG
#elif P == 7
  int seen = 0;
  *at = 0; // BUG
#else
  int seen = *at; // BUG
#endif
  return seen;
}

static atomic_int *const each[] = {&x, &y};
#ifdef VAIN
enum { TIMES = 2 };
#else
enum { TIMES = 1 };
#endif

static void *waits(void *unused) {
#if P == 4
  for (int old = load(&x, rlx);;) {
    if (old == 0 && look() == 5)
      return unused;
    int now = load(&x, rlx);
    if (now == old && old)
      break;
    old = now;
  }
#else
  for (int i = 0; i < TIMES; i++) {
    while (load(each[i], rlx) == 0)
      if (!i && look() == 5)
        break;
    if (i < TIMES - 1)
      store(&behind, 1, rel);
  }
#endif
  store(&go, 1, TELL);
  return unused;
}

static void *ends_wait(void *unused) {
  store(&x, 1, rlx);
#ifdef VAIN
  store(&y, 1, rlx);
#endif
  return unused;
}

static void *passes_on(void *unused) {
  if (load(&go, rlx))
    store(&told, 1, rlx);
  return unused;
}

static void *changes(void *unused) {
#if P == 6
  own = 1;
  store(&owned, &own, rel);
  while (!load(&go, rlx))
    continue;
#elif P == 8
  if (load(&told, rlx))
    *at = 1; // BUG
#else
#ifdef VAIN
  if (!load(&behind, acq))
    return unused;
#endif
  if (load(&go, ASK))
#if P == 5
    free(at); // BUG
#else
    *at = 1; // BUG
#endif
#endif
  return unused; // BUG
} // BUG

int main(void) {
  pthread_t t[4];
#if P == 5
  at = calloc(1, sizeof *at);
#endif
  pthread_create(&t[0], NULL, waits, NULL);
  pthread_create(&t[1], NULL, ends_wait, NULL);
  pthread_create(&t[2], NULL, changes, NULL);
#if P == 8
  pthread_create(&t[3], NULL, passes_on, NULL);
#else
  (void)passes_on;
#endif
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
