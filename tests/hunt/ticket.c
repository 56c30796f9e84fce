// SPDX-License-Identifier: MIT
// A ticket lock whose last holder does not release what it wrote.
#include "hunt.h"
#define THREADS sized(9, 3)

static atomic_int next, serving, data;

static void *body(void *unused) {
  (void)unused;
  int mine = fetch_add(&next, 1, rlx);
  while (load(&serving, acq) != mine)
    ;
  int seen = load(&data, rlx);
  assert(seen == mine);
  store(&data, seen + 1, rlx);
  store(&serving, mine + 1, mine == THREADS - 2 ? planted(rel, rlx) : rel);
  return NULL;
}

int main(void) {
  run(THREADS, body);
}
