// SPDX-License-Identifier: MIT
// What the files of the search share: checks, and what is learnt from wrong
// executions.
#pragma once

#include "optimise/optimise.h"

char *text_copy(const char *text);
mode *modes_copy(const mode *x, uint32_t n);
// Adds `most` as a bad assignment. It becomes the search's, and so does the
// text of the execution.
void learn_bad(struct search *s, mode *most, uint32_t client,
               const struct finding *f, char *execution);
// Learns from the execution in `g`, which assignment x allows. False: nothing,
// because it cannot be judged again.
bool learn_from_graph(struct search *s, uint32_t client, const mode *x,
                      struct vm *vm, const struct graph *g,
                      const struct finding *f);

// -- check.c

// One exploration: what is asked, and what is seen of it.
struct looking {
  struct search *s;
  uint32_t client;
  const mode *x;
  bool learns, has_found, has_learnt;
  struct finding first;
  char *execution; // the caller's
};
enum verdict look(struct looking *l);
bool is_known_bad(const struct search *s, const mode *x);
void note_passed(struct search *s, uint32_t client, const mode *x);
// As search_check, but without its bookkeeping.
enum verdict check_assignment(struct search *s, const mode *x);
void passed_done(struct search *s);

// -- probe.c

// Looks for what is wrong with x, and with others, at the same time. False:
// nothing was found soon, x has to be checked.
bool probe_fails(struct search *s, const struct hit *h, const mode *x);
