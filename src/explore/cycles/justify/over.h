// SPDX-License-Identifier: MIT
// What threads could do alone, if their reads got any value that a thread could
// have written: an upper bound of all that they do in any execution. It says
// which values could come back to who read them, and so which guesses could be
// on a cycle at all (justify.c).
#pragma once

#include "explore/cycles/justify/justify.h"

struct over;
struct uses;

// What threads could do with the values that were guessed, or, if that is NULL,
// with those that could be guessed. NULL: they could do too many things. In
// the first case no state may be released that the machine has then, as long as
// the answer is there.
struct over *over_new(struct explorer *x, const struct guesses *seen);
void over_free(struct over *a);
// Could some write be read by something that it depends on, whatever the values
// are? That is cheaper to know, and says yes more often. Says which threads use
// what (orders.h), if that is known.
bool over_may_have_cycles(struct explorer *x, struct uses *ret);
// thin.c: adds all guesses that executions of these threads could give, of a
// model that guesses its cores, and yields what threads could do with them.
// NULL: there are none, or it says why it gave up.
struct over *over_new_thin(struct explorer *x, uint64_t threads,
                           struct guesses *ret, const char **gave_up);
// Could some write of these threads be read by something that it depends on?
bool over_has_cycles(struct over *a, uint64_t threads);
// Groups of threads that have no memory in common, each with those that create
// threads: fills `ret`, and yields how many there are.
uint32_t over_groups(const struct over *a, uint64_t ret[MAX_THREADS]);
// foresee.c: adds all guesses that executions of these threads could give. Was
// one of them not there? Are they too many, or may one be made without end?
// (Then not all are there.)
struct foresight {
  bool is_new, is_too_much;
};
struct foresight over_foresee(struct over *a, uint64_t threads,
                              struct guesses *ret);
// Sets how often each guess is allowed: not at all if it is on no cycle, or if
// every cycle that it may be on has another one that is allowed.
void over_choose(struct over *a, struct guesses *g);

// feasible.c: to be called before the program is explored with guesses, when it
// is known which of them are allowed.
void over_aim(struct over *a, const struct guesses *g);
