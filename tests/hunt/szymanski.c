// SPDX-License-Identifier: MIT
// Szymanski's lock for two threads: the door is closed without an order.
#include "hunt.h"
#define ROUNDS sized(4, 1)

static atomic_int flag[2], inside;

static void enter(int me, enum memory_order closing) {
  int other = 1 - me;
  store(&flag[me], 1, sc);
  heddle_assume(load(&flag[other], sc) < 3);
  store(&flag[me], 3, closing);
  if (load(&flag[other], sc) == 1) {
    store(&flag[me], 2, sc);
    heddle_assume(load(&flag[other], sc) == 4);
  }
  store(&flag[me], 4, sc);
  if (me == 1)
    heddle_assume(load(&flag[other], sc) < 2);
  else
    heddle_assume(true);
}

static void leave(int me) {
  int other = 1 - me;
  if (me == 0) {
    int seen = load(&flag[other], sc);
    heddle_assume(seen < 2 || seen > 3);
  }
  store(&flag[me], 0, sc);
}

static void *body(void *arg) {
  int me = (int)(uintptr_t)arg;
  for (int i = 0; i < ROUNDS; i++) {
    enter(me, i + 1 < ROUNDS ? sc : planted(sc, rel));
    assert(fetch_add(&inside, 1, rlx) == 0);
    fetch_add(&inside, -1, rlx);
    leave(me);
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  start(t, 2, body);
  start_bystanders(sized(3, 0));
  join(t, 2);
}
