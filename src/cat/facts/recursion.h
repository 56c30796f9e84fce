// SPDX-License-Identifier: MIT
// A `let rec` as an automaton. See recursion.c.
#pragma once

#include "cat/language/node.h"

enum { RECURSION_MEMBERS = 4, RECURSION_RULES = 64 };

// Variable x is y, or y; z, or (both NO_NODE) a term without variables of the
// group.
struct recursion_rule {
  uint32_t x, y, z;
  node_id term;
};

struct recursion {
  uint32_t group, n; // variables
  // Of each, where it begins (bit 0) and where it ends (bit 1).
  uint8_t nodes[RECURSION_MEMBERS];
  uint32_t nrules;
  struct recursion_rule rules[RECURSION_RULES];
};

// Is it the automaton with node 0, which leads to node 1, and the terms as
// steps between the nodes of their variables? False: none was found.
bool recursion_find(struct recursion *r, const struct nodes *n, uint32_t group);
