// SPDX-License-Identifier: MIT
// Bounds, as the user gives them and as the search uses them.
#pragma once

#include <stdint.h>

// On loops.
struct loop_bound {
  char *func; // whose loops; NULL: those of every function
  uint32_t rounds;
};

// On executions: what is counted in them (explore/reduce/numbers.c).
enum bounded {
  BOUND_PREEMPTIONS,
  BOUND_REORDERINGS,
  BOUNDS,
};
