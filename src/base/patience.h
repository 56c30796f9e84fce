// SPDX-License-Identifier: MIT
// Limits for work that cannot be stopped in the middle. A search looks at its
// limits between its steps; but one step may take long: the relations of a
// graph of 10,000 events, sets of dependencies of as many. Such work asks here
// now and then, which costs a load and a branch. When a limit was hit and no
// search has looked at its limits for a second (of CPU time), the process ends
// as it does for lack of memory: with what is known so far, and exit code 3.
// Nothing is taken back, so the graph may be in any state.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct patience {
  double max_time, max_wall; // seconds from now on; 0: no limit
  uint64_t max_memory;       // bytes that are resident; 0: no limit
  const atomic_bool *interrupted;
  double seconds; // for which nobody has to look at limits
};

// Of one search at a time.
void patience_begin(const struct patience *p);
void patience_end(void);

extern atomic_bool patience_is_asked; // since a while; who looks answers
extern atomic_bool patience_is_over;
_Noreturn void patience_give_up(void);

// A search has looked at its limits.
static inline void patience_heard(void) {
  atomic_store_explicit(&patience_is_asked, false, memory_order_relaxed);
}

static inline void patience_ask(void) {
  if (__builtin_expect(
          atomic_load_explicit(&patience_is_over, memory_order_relaxed), 0))
    patience_give_up();
}
