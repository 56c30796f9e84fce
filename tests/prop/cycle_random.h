// SPDX-License-Identifier: MIT
// Cycles (litmus/cycle.h) that are drawn from a seed: each thread has two
// accesses with something between them that may order them, and each thread's
// second access is joined to the next one's first by rfe, fre or coe. Writes
// may be updates of which nobody asks what they read; reads may be in loops.
// Such a cycle is written twice: as a litmus test, and as a program for the
// oracle.
#pragma once

#include "litmus/cycle.h"

// The cycle of a seed.
void cycle_draw(uint64_t seed, struct cycle *ret);
// Does a test use load-linked and store-conditional?
bool cycle_has_llsc(const struct cycle *c);
// Does a thread wait until a read has the value of the cycle? Where it never
// does, the execution does not count.
bool cycle_waits(const struct cycle *c);
void cycle_print_oracle(const struct cycle *c, struct str *out);
