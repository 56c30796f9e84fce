// SPDX-License-Identifier: MIT
// A ring for one producer and one consumer: the last item is not released.
#include "hunt.h"
#define SLOTS 2
#define ITEMS sized(12, 4)

static atomic_int slots[SLOTS];
static atomic_uint head, tail;

static void *producer(void *unused) {
  (void)unused;
  for (unsigned i = 0; i < ITEMS; i++) {
    if (i - load(&head, acq) == SLOTS)
      return NULL;
    store(&slots[i % SLOTS], (int)i + 1, rlx);
    store(&tail, i + 1, i + 1 < ITEMS ? rel : planted(rel, rlx));
  }
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  unsigned i = 0;
  for (int tries = 0; tries < ITEMS; tries++) {
    if (load(&tail, acq) == i)
      continue;
    assert(load(&slots[i % SLOTS], rlx) == (int)i + 1);
    store(&head, ++i, rel);
  }
  return NULL;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  join(&p, 1);
  join(&c, 1);
}
