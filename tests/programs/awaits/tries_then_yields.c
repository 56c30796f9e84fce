// SPDX-License-Identifier: MIT
// A lock that tries some times, lets others run, and begins to count again: the
// count decides about nothing, so there are as many executions as with one try.
// DOWN counts down, NESTED doubles what it counts up to. GIVES_UP returns after
// the tries: that somebody does has to be seen.
// run: flags=-DTRIES=1 sc,rc11 ok 4
// run: flags=-DTRIES=2 sc,rc11 ok 4
// run: flags=-DTRIES=100 sc,tso,rc11,imm,armv8 ok 4
// run: flags=-DTRIES=100 flags=-DDOWN sc,rc11 ok 4
// run: flags=-DTRIES=4 flags=-DNESTED sc,rc11 ok 4
// run: flags=-DTRIES=100 flags=-DN=3 sc,rc11 ok 36
// run: flags=-DTRIES=100 flags=-DUNLOCK=rlx rc11 error race
// run: flags=-DTRIES=1 flags=-DGIVES_UP sc,rc11 error assertion
// run: flags=-DTRIES=3 flags=-DGIVES_UP sc,rc11 error assertion
#include "../common.h"

#include <sched.h>

#ifndef N
#define N 2
#endif
#ifndef UNLOCK
#define UNLOCK rel
#endif

static atomic_int word;
static int data;

static int try_lock(void) {
  int free = 0;
  return load(&word, rlx) == 0 &&
         atomic_compare_exchange_weak_explicit(&word, &free, 1, acq, rlx);
}

static int lock(void) {
#ifdef NESTED
  int most = 1;
#endif
  for (;;) {
#if defined DOWN
    for (int left = TRIES; left > 0; left--) {
      if (try_lock())
        return 1;
    }
#elif defined NESTED
    for (int i = 0; i < TRIES; i++) {
      if (try_lock())
        return 1;
      for (int k = 0; k < most; k++)
        __builtin_ia32_pause();
    }
    if (most < 64)
      most *= 2;
#else
    for (int i = 0; i < TRIES; i++) {
      if (try_lock())
        return 1;
      __builtin_ia32_pause();
    }
#endif
#ifdef GIVES_UP
    return 0;
#endif
    sched_yield();
  }
}

static void *add(void *unused) {
  if (lock()) {
    data++;
    store(&word, 0, UNLOCK);
  }
  return unused;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, add, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(data == N);
  return 0;
}
