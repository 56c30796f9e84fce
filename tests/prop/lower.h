// SPDX-License-Identifier: MIT
// Small programs as bytecode, so that the real machine can run them.
#pragma once

#include "bytecode/prog.h"
#include "program.h"

// Location l becomes global l, a 32-bit integer. Free with prog_free. `spins`
// makes loops of the assumptions that a loop can wait for (reads and fences
// since the register was read): complete executions are the same.
struct prog *lower_program(const struct program *p, bool spins);
// Is there such an assumption?
bool lower_can_spin(const struct program *p);
