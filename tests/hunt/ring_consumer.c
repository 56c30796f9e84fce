// SPDX-License-Identifier: MIT
// The same ring: the consumer gives a slot back before it has read it.
#include "hunt.h"
#define SLOTS 2
#define ITEMS sized(8, 3)

static int slots[SLOTS];
static atomic_uint head, tail;

static void *producer(void *unused) {
  (void)unused;
  for (unsigned i = 0; i < ITEMS; i++) {
    if (i - load(&head, acq) == SLOTS)
      return NULL;
    slots[i % SLOTS] = (int)i + 1;
    store(&tail, i + 1, rel);
  }
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  unsigned i = 0;
  for (int tries = 0; tries < ITEMS + 2; tries++) {
    if (load(&tail, acq) == i)
      continue;
    int seen = slots[i % SLOTS];
    assert(seen == (int)i + 1);
    i++;
    store(&head, i, i + SLOTS < ITEMS ? rel : planted(rel, rlx));
  }
  return NULL;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  start_bystanders(sized(3, 1));
  join(&p, 1);
  join(&c, 1);
}
