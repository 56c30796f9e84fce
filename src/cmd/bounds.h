// SPDX-License-Identifier: MIT
// --bound WHAT:K and WHAT:FIRST..[LAST] on the command line.
#pragma once

#include "base/bound.h"
#include "base/options.h"

// Of each: 1 + the first and the last number that is tried; 0: no bound.
struct bounds {
  uint32_t first[BOUNDS], last[BOUNDS];
};

MUST_USE bool bounds_read(const struct options *o, struct bounds *ret,
                          struct diag *why);
// Is one of them tried again and again with a larger number?
bool bounds_are_iterated(const struct bounds *b);
// The name of it, as on the command line.
void bounds_name(const uint32_t *now, struct str *out);
