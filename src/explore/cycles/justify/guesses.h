// SPDX-License-Identifier: MIT
// What reads may know too early, as executions show it: edges of rf that lie on
// a cycle of po ∪ rf ∪ race⁻¹ (justify.c says why these). A guess is such an
// edge by its labels.
#pragma once

#include "explore/cycles/justify/justify.h"
#include "graph/buffering.h"
#include "model/justify.h"

// Adds the guesses that an execution gives, in which these reads lead to their
// sources. Yields whether anything is new.
bool guesses_learn(struct guesses *ret, const struct justifier *by,
                   const struct graph *g, const struct buffering *buffering,
                   bool *is_uninitialised);
// Adds all edges of rf between threads, if they are not too many or of values
// that are not known: false.
bool guesses_learn_edges(struct guesses *ret, const struct graph *g);
// The guess with this reader, order, location and value, which is added if
// there is none.
struct guess *guesses_find(struct guesses *s, const struct guess *like);
