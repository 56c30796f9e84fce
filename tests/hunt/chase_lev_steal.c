// SPDX-License-Identifier: MIT
// A work-stealing deque: a thief reads the item before it has seen that it is
// there.
#include "hunt.h"
#define ITEMS sized(5, 2)
#define THIEVES sized(3, 2)

static atomic_int bottom, top, items[ITEMS];

static void *thief(void *arg) {
  int t = load(&top, acq);
  fence(sc);
  int b = load(&bottom, arg ? acq : planted(acq, rlx));
  if (t < b) {
    int item = load(&items[t], rlx);
    if (cas(&top, t, t + 1, sc, rlx))
      assert(item == t + 1);
  }
  return NULL;
}

static void *owner(void *unused) {
  (void)unused;
  for (int i = 0; i < ITEMS; i++) {
    store(&items[i], i + 1, rlx);
    store(&bottom, i + 1, rel);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THIEVES], o;
  pthread_create(&o, NULL, owner, NULL);
  start(t, THIEVES, thief);
  start_bystanders(sized(5, 0));
  join(&o, 1);
  join(t, THIEVES);
}
