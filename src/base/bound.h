// SPDX-License-Identifier: MIT
// A bound on loops, as the user gives it and as the search uses it.
#pragma once

#include <stdint.h>

struct loop_bound {
  char *func; // whose loops; NULL: those of every function
  uint32_t rounds;
};
