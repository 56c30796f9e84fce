// SPDX-License-Identifier: MIT
// From wrong executions to bad assignments, for search.c.
#pragma once

#include "optimise/optimise.h"

char *text_copy(const char *text);
mode *modes_copy(const mode *x, uint32_t n);
// Adds `most`, which becomes the search's, as a bad assignment.
void learn_bad(struct search *s, mode *most, uint32_t client,
               const struct finding *f, const char *execution);
// Learns from the execution in `g`, which assignment x allows. False: nothing,
// because it cannot be judged again.
bool learn_from_graph(struct search *s, uint32_t client, const mode *x,
                      struct vm *vm, const struct graph *g,
                      const struct finding *f, const char *execution);
