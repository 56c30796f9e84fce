// SPDX-License-Identifier: MIT
// Small programs as bytecode, so that the real machine can run them.
#pragma once

#include "bytecode/prog.h"
#include "program.h"

// Location l becomes global l, a 32-bit integer. Free with prog_free. `spins`
// makes loops of the assumptions that a loop can wait for (reads and fences
// since the register was read): complete executions are the same.
struct prog *lower_program(const struct program *p, bool spins);
// The same, but main waits for all threads that nobody else waits for, and all
// of them return: as C programs do, whose ends need not be added to a graph
// (explore/reduce/tail.c). NULL if main does not create all of them.
struct prog *lower_joining(const struct program *p);
// Assumptions of thread t behind operation loops[t] end a loop that begins
// there and goes on as long as they do not hold.
struct prog *lower_looping(const struct program *p, const uint8_t *loops);
// Is there such an assumption?
bool lower_can_spin(const struct program *p);
