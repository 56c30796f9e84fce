// SPDX-License-Identifier: MIT
// Executions that a model refuses, and why.
//
// They come from the same program with all its atomic accesses relaxed, under
// coherence alone (model_coherent). Nearly everything that any model could
// refuse is among them; they are judged with the orders that the program really
// has, by the definition of the model. Of those that fit, the one with the
// shortest cycle explains best. One that is not refused at all is an execution
// that the search should have found: two ways to the same answer, so that each
// question asks for errors of ours too.
#pragma once

#include "model/model.h"
#include "report/json_writer.h"
#include "report/view.h"

struct refused {
  const struct prog *prog; // with the orders that it has
  const struct model *model;
  struct model_options options;
  const struct model *allowed_by; // another model that must allow it, or NULL
  const char *const *relations;   // to be shown, of the model
  uint32_t nrelations;
  bool takes_any;      // nothing is judged: the first will do, without a cycle
  bool is_all;         // no execution under the model is like that: all of them
                       // were explored, and nothing was found wrong
  struct view *view;   // the best execution so far, with its cycle; or NULL
  unsigned candidates; // that were refused
  bool is_lost;        // one was not, although is_all
  bool is_allowed;     // one was not: there may be errors that hide it
};

// Takes the order away from what the program itself says; the library keeps
// its own, or locks would not be locks.
void prog_weaken(struct prog *p);
// Looks at an execution of the weakened program. Is it enough of them?
bool refused_consider(struct refused *r, const struct prog *weak, struct vm *vm,
                      const struct graph *g);
// The model under which the weakened program is explored.
struct model refused_source(const struct model *m);
// A search that claims all executions has missed one that the model allows:
// that is an error of ours, and nothing is said. `what` is what was asked for.
void refused_check(const struct refused *r, const char *what);
void refused_done(struct refused *r);

// "coherence: ... / The cycle: ..."
void refused_text(const struct view *v, struct str *out);
// Members "axiom" and "cycle".
void refused_json(const struct view *v, struct json *j);
