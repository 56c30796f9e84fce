// SPDX-License-Identifier: MIT
// Mutexes whose waiters sleep until a counter of signals moves, as a futex is
// modelled. The word is 0 (free), 1 (taken) or 2 (taken, and somebody waits).
// Loads of the word and of the counter are relaxed, so there are races from
// which loads could know something too early: they do with three threads, where
// one waits for the signal of another one (SLIM).
// run: flags=-DN=2 flags=-DSLIM rc11 ok 12; xmm incomplete
// run: flags=-DN=3 flags=-DSLIM rc11 ok 1056+216; xmm incomplete
// run: flags=-DN=2 flags=-DTRISTATE rc11 ok 30; xmm incomplete
#include "../common.h"

static atomic_uint word, signals;
static int x, y;

static void sleep_while(unsigned value) {
  unsigned before = load(&signals, acq);
  if (load(&word, rlx) != value)
    return;
  while (load(&signals, rlx) == before) {
  }
}

static void wake(void) {
  fetch_add(&signals, 1, rel);
}

#ifdef SLIM
static void lock(void) {
  if (cas(&word, 0, 1, acq, rlx))
    return;
  while (swap(&word, 2, acq) != 0)
    sleep_while(2);
}

static void unlock(void) {
  if (swap(&word, 0, rel) == 2)
    wake();
}
#endif

#ifdef TRISTATE
static void lock(void) {
  if (cas(&word, 0, 1, acq, rlx))
    return;
  do {
    unsigned seen = 1;
    if (load(&word, rlx) == 2 ||
        atomic_compare_exchange_strong_explicit(&word, &seen, 2, rlx, rlx) ||
        seen != 0)
      sleep_while(2);
  } while (!cas(&word, 0, 2, acq, rlx));
}

static void unlock(void) {
  if (fetch_add(&word, -1, rel) != 1) {
    store(&word, 0, rel);
    wake();
  }
}
#endif

static void *thread(void *unused) {
  lock();
  x++;
  y++;
  unlock();
  return unused;
}

int main(void) {
  pthread_t ids[N];
  start(ids, N, thread);
  join(ids, N);
  assert(x == N && y == N);
  return 0;
}
