// SPDX-License-Identifier: MIT
// The steps of prog_finish that have a file of their own.
#pragma once

#include "bytecode/prog.h"

// Is every operand in range, every target inside its function, every table
// index valid? After that the interpreter need not ask. False: `why` names the
// function, the pc and the reason.
MUST_USE bool prog_verify(const struct prog *p, struct diag *why);

// Fills live, live_first and labels of a verified program.
void prog_liveness(struct prog *p);
