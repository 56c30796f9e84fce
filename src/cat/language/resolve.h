// SPDX-License-Identifier: MIT
// Between load.c and resolve.c.
#pragma once

#include "cat/cat.h"

struct loader {
  struct cat *cat;
  const struct cat_search *search;
  // Files that are being read, from the first to the one that it includes.
  ARRAY(const char *) open;
  struct diag *why;
};

// Finds, reads and parses what statement `include` names: `ret` is the first
// statement. *is_given: there is nothing to read, the search supplies it.
MUST_USE bool loader_include(struct loader *l, const struct statement *include,
                             uint32_t *ret, bool *is_given);
void loader_close(struct loader *l); // the statements were gone through

// Statements that no model has to include.
struct cat_preludes {
  uint32_t all;
  uint32_t arm;   // for texts about Arm
  uint32_t exprs; // they have so many expressions
};

// Fills the nodes, axioms and names of the loader's model from statements,
// those of the preludes first.
MUST_USE bool cat_resolve(struct loader *l, const struct cat_preludes *prelude,
                          uint32_t first);
