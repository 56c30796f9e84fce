// SPDX-License-Identifier: MIT
// Locks with two words: one gives out numbers, the other says whose turn it is.
#pragma once

#include "bytecode/prog.h"

// The code from an atomic update on:
//
//   t = fetch_add(next, 1);
//   while (load(owner) != t) // acquires
//     ;
//
// where t and what the load reads are not used after that, nor for anything
// else. The pc of the load, or 0: the code is something else.
uint32_t ticket_find_wait(const struct prog *p, uint32_t rmw_load);

// Does the code from a load or an atomic update on only add 1 to the word, with
// a write that releases, and is what it reads not used otherwise?
bool ticket_is_give(const struct prog *p, uint32_t load);
