// SPDX-License-Identifier: MIT
// A seqlock with several writers, who lock each other out by the number itself:
// what one wrote is not ordered before the other's round.
#include "hunt.h"
#define WRITERS sized(3, 2)
#define READERS sized(2, 1)

static atomic_int sequence, a, b;

static void *writer(void *unused) {
  (void)unused;
  int now = load(&sequence, rlx);
  if (now % 2 || !cas(&sequence, now, now + 1, planted(acq, rlx), rlx))
    return NULL;
  fence(rel);
  int next = load(&a, rlx) + 1;
  store(&a, next, rlx);
  store(&b, next, rlx);
  store(&sequence, now + 2, rel);
  return NULL;
}

static void *reader(void *unused) {
  (void)unused;
  int before = load(&sequence, acq);
  int x = load(&a, rlx), y = load(&b, rlx);
  fence(acq);
  if (load(&sequence, rlx) == before && before % 2 == 0)
    assert(x == y && x == before / 2);
  return NULL;
}

int main(void) {
  pthread_t t[READERS], w[WRITERS];
  start(w, WRITERS, writer);
  start(t, READERS, reader);
  join(t, READERS);
  join(w, WRITERS);
}
