// SPDX-License-Identifier: MIT
// From where on a program writes no shared memory any more.
#pragma once

#include "bytecode/prog.h"

// For each instruction, whether code that runs from there to the end of its
// function may write to shared memory or create a thread. For the caller to
// free.
bool *prog_find_writes(const struct prog *p);
