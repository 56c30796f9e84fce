// SPDX-License-Identifier: MIT
// Small programs as bytecode, so that the real machine can run them.
#pragma once

#include "bytecode/prog.h"
#include "program.h"

// Location l becomes global l, a 32-bit integer. Free with prog_free.
struct prog *lower_program(const struct program *p);
