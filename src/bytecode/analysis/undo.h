// SPDX-License-Identifier: MIT
// Updates that are tried, and undone when they fail.
#pragma once

#include "bytecode/prog.h"

// The code from an atomic addition on:
//
//   p = fetch_add(a, add);
//   while (p is not from `least` to `most`) {
//     fetch_add(a, -add);
//     while (*a is not from `wait_least` to `wait_most`, a part of that)
//       ;
//     p = fetch_add(a, add);
//   }
//   success:
//
// where p is not used after that. All of 32 bits and signed; the additions that
// are tried acquire.
struct undo {
  int32_t least, most;
  int32_t wait_least, wait_most;
  uint32_t add;
  uint32_t success; // pc; 0: the code is something else
};
struct undo undo_find(const struct prog *p, uint32_t rmw_load);

// Is the atomic update that begins there an addition of a constant, and does
// what it has read not be used?
bool undo_is_blind(const struct prog *p, uint32_t rmw_load);
