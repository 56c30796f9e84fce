// SPDX-License-Identifier: MIT
// Random programs that buffer loads: threads that read, and then write under
// conditions on what they read, or values that they read, or the same whatever
// they read. Most accesses are relaxed; there are updates, fences and joins.
#pragma once

#include "program.h"

void program_random_buffering(uint64_t seed, unsigned max_ops,
                              struct program *ret);
// Two of them side by side, of two threads each.
void program_random_pairs(uint64_t seed, unsigned max_ops, struct program *ret);
// One location is written by updates alone, which synchronise in many ways.
void program_random_counter(uint64_t seed, unsigned max_ops,
                            struct program *ret);
// Threads that hand values on to each other in circles: nothing but loads,
// stores and blocks of them under conditions; sometimes an update or a fence.
void program_random_crossing(uint64_t seed, unsigned max_ops,
                             struct program *ret);
// The same of threads that also read what they write, and add to values.
void program_random_sums(uint64_t seed, unsigned max_ops, struct program *ret);
