// SPDX-License-Identifier: MIT
// A seqlock: in its last round the writer's data may be seen before the odd
// number.
#include "hunt.h"
#define WRITES sized(4, 2)
#define READERS sized(3, 1)

static atomic_int sequence, a, b;

static void *writer(void *unused) {
  (void)unused;
  for (int i = 1; i <= WRITES; i++) {
    store(&sequence, 2 * i - 1, rlx);
    if (i < WRITES || planted(true, false))
      fence(rel);
    store(&a, i, rlx);
    store(&b, i, rlx);
    store(&sequence, 2 * i, rel);
  }
  return NULL;
}

static void *reader(void *unused) {
  (void)unused;
  int before = load(&sequence, acq);
  int x = load(&a, rlx), y = load(&b, rlx);
  fence(acq);
  if (load(&sequence, rlx) == before && before % 2 == 0)
    assert(x == y);
  return NULL;
}

int main(void) {
  pthread_t t[READERS], w;
  pthread_create(&w, NULL, writer, NULL);
  start(t, READERS, reader);
  join(t, READERS);
  join(&w, 1);
}
