// SPDX-License-Identifier: MIT
// Programs with one planted bug each, which weak memory alone brings about,
// among so many executions that a search may not come to it. -DRIGHT takes the
// bug out; -DSMALL makes the program so small that all of it is explored.
#pragma once

#include "../programs/common.h"

#ifdef RIGHT
#define planted(right, wrong) right
#else
#define planted(right, wrong) wrong
#endif

#ifdef SMALL
#define sized(large, small) small
#else
#define sized(large, small) large
#endif

// Threads that have nothing to do with the bug: they count what they did.
static atomic_int statistics;

static inline void *count_once(void *unused) {
  (void)unused;
  fetch_add(&statistics, 1, rlx);
  return NULL;
}

static inline void start_bystanders(unsigned n) {
  for (unsigned i = 0; i < n; i++)
    spawn(count_once);
}
