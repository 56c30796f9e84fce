// SPDX-License-Identifier: MIT
// What threads could do alone, if their reads got any value that somebody could
// have written: an upper bound of all that they do in any execution. It says
// which values could come back to who read them, and so which guesses could be
// on a cycle at all (justify.c).
#pragma once

#include "explore/internal.h"

struct alone;

// `seen` are labels of writes that are known to happen, beyond what follows
// from the initial values. NULL: the threads could do too many things.
struct alone *alone_new(struct explorer *x, const struct guesses *seen);
void alone_free(struct alone *a);
// Could some write of these threads be read by something that it depends on?
bool alone_has_cycles(struct alone *a, uint64_t threads);
// Groups of threads that have no memory in common, each with those that create
// threads: fills `ret`, and yields how many there are.
uint32_t alone_groups(const struct alone *a, uint64_t ret[MAX_THREADS]);
// Sets how often each guess is allowed: not at all if it is on no cycle, or if
// every cycle that it may be on has another one that is allowed.
void alone_choose(struct alone *a, struct guesses *g);
