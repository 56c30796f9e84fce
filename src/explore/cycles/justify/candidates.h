// SPDX-License-Identifier: MIT
// Cores that may be some (justify.c), each once, by what its threads did.
#pragma once

#include "base/table.h"
#include "explore/cycles/justify/bound.h"
#include "model/justify.h"

// A core that may be one.
struct candidate {
  uint64_t *key; // what its threads did, as numbers
  uint32_t len;
  struct core *core;
  struct cyclic *cyclic; // NULL: nothing can justify it, or something did
  struct graph *g;       // what it is about, as long as it is there
};
struct candidates {
  struct candidate *at;
  uint32_t len, cap;
  struct table table; // of their indices
};

// Adds what is bound; NULL: it is there already.
struct candidate *candidates_add(struct candidates *s, const struct bound *b);
void candidates_done(struct candidates *s);
