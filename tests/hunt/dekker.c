// SPDX-License-Identifier: MIT
// Dekker's entry by trying: whoever sees the other's flag goes away and comes
// again. One of the two has no fence in its last try.
#include "hunt.h"
#define TRIES sized(7, 2)

static atomic_int flag[2], owner;

static void attempt(int me, bool is_fenced) {
  store(&flag[me], 1, rlx);
  if (is_fenced)
    fence(sc);
  if (!load(&flag[1 - me], rlx)) {
    fence(acq);
    assert(load(&owner, rlx) == 0);
    store(&owner, me + 1, rlx);
    assert(load(&owner, rlx) == me + 1);
    store(&owner, 0, rlx);
  }
  store(&flag[me], 0, rel);
}

static void *body(void *arg) {
  int me = (int)(uintptr_t)arg;
  for (int i = 0; i < TRIES; i++)
    attempt(me, me == 0 || i + 1 < TRIES || planted(true, false));
  return NULL;
}

int main(void) {
  pthread_t t[2];
  start(t, 2, body);
  join(t, 2);
}
