// SPDX-License-Identifier: MIT
// A loop that waits, and to which a thread comes only with a value that comes
// too early. So its failed round, which reads plainly what another thread writes
// behind the end of the loop, is in no graph but those that are guessed.
//
// run: xmm incomplete
// run: args=--without=retry flags=-DROUNDS=2 xmm error race
// run: flags=-DNO_DATA xmm ok 3
#include "../common.h"

static atomic_int x, y, flag;
static int data;

static bool look(void) {
#ifdef NO_DATA
  return false;
#else
  return data == 5; // BUG
#endif
}

static void *waits(void *unused) {
  if (load(&x, rlx) == 1) {
#ifdef ROUNDS
    bool is_over = false;
    for (int n = 0; n < ROUNDS && !is_over; n++)
      if (!(is_over = load(&flag, rlx)) && look())
        return unused;
    if (!is_over)
      return unused;
#else
    while (!load(&flag, rlx))
      if (look())
        return unused;
#endif
  }
  store(&y, 1, rlx);
  return unused;
}

static void *tells(void *unused) {
  if (load(&y, rlx) == 1) {
    store(&x, 1, rlx);
#ifndef NO_DATA
    data = 1; // BUG
#endif
  }
  return unused;
}

static void *ends_wait(void *unused) {
  store(&flag, 1, rlx);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  pthread_create(&t, NULL, tells, NULL);
  pthread_create(&t, NULL, ends_wait, NULL);
  return 0;
}
