// SPDX-License-Identifier: MIT
// A sleeper says that it will sleep and looks once more; who sends looks for
// sleepers after it has sent. One of the two looks may come too early, and the
// message stays where it is.
#include "hunt.h"
#define SENDERS sized(7, 2)

static atomic_int messages, sleepers, wakes;

static void *sender(void *unused) {
  (void)unused;
  fetch_add(&messages, 1, rlx);
  fence(sc);
  if (load(&sleepers, rlx))
    store(&wakes, 1, rlx);
  return NULL;
}

int main(void) {
  pthread_t t[SENDERS];
  start(t, SENDERS, sender);
  store(&sleepers, 1, rlx);
  planted(fence(sc), (void)0);
  bool sleeps = load(&messages, rlx) == 0;
  join(t, SENDERS);
  assert(!sleeps || load(&wakes, rlx));
}
