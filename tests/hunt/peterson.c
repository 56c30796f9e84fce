// SPDX-License-Identifier: MIT
// Peterson's lock: the flag goes up without an order towards the look at the
// other's, in the last round alone.
#include "hunt.h"
#define ROUNDS sized(6, 2)

static atomic_int flag[2], turn;
static int inside;

static void *body(void *arg) {
  int me = (int)(uintptr_t)arg, other = 1 - me;
  for (int i = 0; i < ROUNDS; i++) {
    store(&flag[me], 1, i + 1 < ROUNDS ? sc : planted(sc, rel));
    store(&turn, other, sc);
    while (load(&flag[other], i + 1 < ROUNDS ? sc : planted(sc, acq)) &&
           load(&turn, sc) == other)
      ;
    inside++;
    store(&flag[me], 0, sc);
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  start(t, 2, body);
  start_bystanders(sized(5, 1));
  join(t, 2);
  assert(inside == 2 * ROUNDS);
}
