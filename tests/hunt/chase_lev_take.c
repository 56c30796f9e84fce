// SPDX-License-Identifier: MIT
// A work-stealing deque: the owner looks at the top before its own step down is
// seen, so that the last item is taken twice.
#include "hunt.h"
#define ITEMS sized(5, 2)
#define THIEVES sized(3, 1)
#define STEALS sized(2, 2)

static atomic_int bottom, top, taken[ITEMS];

static void take(void) {
  int b = load(&bottom, rlx) - 1;
  store(&bottom, b, rlx);
  planted(fence(sc), (void)0);
  int t = load(&top, rlx);
  if (t > b) {
    store(&bottom, b + 1, rlx);
    return;
  }
  if (t == b) {
    bool is_mine = cas(&top, t, t + 1, sc, rlx);
    store(&bottom, b + 1, rlx);
    if (!is_mine)
      return;
  }
  assert(!swap(&taken[b], 1, rlx));
}

static void *thief(void *unused) {
  (void)unused;
  for (int i = 0; i < STEALS; i++) {
    int t = load(&top, acq);
    fence(sc);
    int b = load(&bottom, acq);
    if (t < b && cas(&top, t, t + 1, sc, rlx))
      assert(!swap(&taken[t], 1, rlx));
  }
  return NULL;
}

static void *owner(void *unused) {
  (void)unused;
  for (int i = 0; i < ITEMS; i++) {
    fence(rel);
    store(&bottom, i + 1, rlx);
  }
  for (int i = 0; i < 2; i++)
    take();
  return NULL;
}

int main(void) {
  pthread_t t[THIEVES], o;
  pthread_create(&o, NULL, owner, NULL);
  start(t, THIEVES, thief);
  join(&o, 1);
  join(t, THIEVES);
}
