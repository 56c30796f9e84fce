// SPDX-License-Identifier: MIT
// A compare-exchange that reads what its own thread has stored since the load:
// the load cannot read that. So the two have different sources, and nothing
// else does the same.
// run: all error assertion
// run: flags=-DHOLDS all ok 1
#include "../common.h"

static atomic_int word;

int main(void) {
  int old = load(&word, rlx);
  do
    atomic_init(&word, old);
  while (!atomic_compare_exchange_strong_explicit(&word, &old, 5, acq, rlx));
#ifdef HOLDS
  assert(load(&word, rlx) == 5);
#else
  assert(load(&word, rlx) != 5);
#endif
  return 0;
}
