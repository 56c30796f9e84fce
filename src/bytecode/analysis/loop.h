// SPDX-License-Identifier: MIT
// Loops in the code.
#pragma once

#include "bytecode/prog.h"

struct loop_range {
  uint32_t first, last; // instructions; first > last: no loop
};
// The innermost loop of its function around an instruction.
struct loop_range loop_around(const struct prog *p, uint32_t at);
// Does a branch that leaves the loop depend on what a round reads (or calls)?
bool loop_polls(const struct prog *p, struct loop_range loop);
// Is there any such loop?
bool prog_polls(const struct prog *p);
// May a round of the loop call sched_yield and the like?
bool loop_yields(const struct prog *p, struct loop_range loop);
// The function that an instruction is in, or NULL.
const struct func *prog_func_around(const struct prog *p, uint32_t pc);
