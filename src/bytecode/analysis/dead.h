// SPDX-License-Identifier: MIT
// Private memory that is overwritten before it is read again.
#pragma once

#include "bytecode/prog.h"

// Bytes of one of the objects that a function makes when it begins: the first
// OP_local that runs makes number 0.
struct dead_run {
  uint32_t object, first, size;
};
struct dead_runs { // an ARRAY with a name
  struct dead_run *at;
  uint32_t len, cap;
};

// Adds the bytes that are dead while a frame waits at the instruction: nothing
// that can follow reads them before it writes them. Only asked of instructions
// in loops, and only about functions without variadic arguments; the answer is
// nothing for others.
void dead_find(const struct prog *p, uint32_t pc, struct dead_runs *out);
