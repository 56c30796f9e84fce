// SPDX-License-Identifier: MIT
// The values that each operation of a program could write, whatever its
// threads read: what a read can be promised.
#pragma once

#include "program.h"

enum { MOST_VALUE = 63 };

struct values {
  uint64_t written[PROGRAM_THREADS][PROGRAM_OPS]; // bit v: value v
  bool has_larger; // some value is above MOST_VALUE and left out
};

void values_find(const struct program *p, struct values *ret);
