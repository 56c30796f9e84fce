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

// Fills the nodes, axioms and names of the loader's model from statements,
// those of `prelude` first.
MUST_USE bool cat_resolve(struct loader *l, uint32_t prelude, uint32_t first);
