// SPDX-License-Identifier: MIT
// Cilk's deque: the owner goes down without a lock, thieves up with one; the
// thief's step may be seen after its look at the tail.
#include "hunt.h"
#define ITEMS sized(4, 2)
#define THIEVES sized(2, 1)

static atomic_int head, tail, lock, taken[ITEMS];

static void acquire(void) {
  while (swap(&lock, 1, acq))
    ;
}

static void take(void) {
  int t = load(&tail, rlx) - 1;
  store(&tail, t, rlx);
  fence(sc);
  if (load(&head, rlx) > t) {
    acquire();
    if (load(&head, rlx) > t) {
      store(&tail, t + 1, rlx);
      store(&lock, 0, rel);
      return;
    }
    store(&lock, 0, rel);
  }
  assert(!swap(&taken[t], 1, rlx));
}

static void *owner(void *unused) {
  (void)unused;
  store(&tail, ITEMS, rel);
  for (int i = 0; i < ITEMS; i++)
    take();
  return NULL;
}

static void *thief(void *unused) {
  (void)unused;
  acquire();
  int h = load(&head, rlx);
  store(&head, h + 1, rlx);
  planted(fence(sc), fence(acqrel));
  if (h + 1 > load(&tail, acq))
    store(&head, h, rlx);
  else
    assert(!swap(&taken[h], 1, rlx));
  store(&lock, 0, rel);
  return NULL;
}

int main(void) {
  pthread_t t[THIEVES], o;
  pthread_create(&o, NULL, owner, NULL);
  start(t, THIEVES, thief);
  start_bystanders(sized(7, 0));
  join(&o, 1);
  join(t, THIEVES);
}
