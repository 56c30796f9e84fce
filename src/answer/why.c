// SPDX-License-Identifier: MIT
// Why nothing ends as a test asks: an execution that would, and what the model
// has against it. It comes from the same test, read once more, with weaker
// orders (report/refused.h).
#include "answer/answer.h"
#include "report/refused.h"

#include <stdlib.h>

enum { MOST_EXECUTIONS = 200000 }; // that are looked at; tests are small

struct explaining {
  struct answer *o;
  const struct answer_config *c;
  struct refused refused;
  uint64_t *state;
  atomic_bool stop;
};

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct explaining *x = arg;
  if (x->c->interrupted && atomic_load(x->c->interrupted))
    atomic_store(&x->stop, true);
  if (is_blocked || !answer_is_final(x->o->weak, g))
    return;
  answer_state(x->o->weak, vm, g, x->state);
  if (answer_is_asked_for(x->o->weak, x->state) &&
      refused_consider(&x->refused, x->o->weak->prog, vm, g))
    atomic_store(&x->stop, true);
}

// What was considered is an execution still.
static void on_begin_again(void *arg) {
  (void)arg;
}

bool answer_explain(struct answer *o, const struct answer_config *c,
                    struct diag *why) {
  const struct litmus *t = o->test;
  struct diag limit;
  bool is_cut;
  // What the test asks may be somebody else's question, so that is copied.
  if (!litmus_read(t->file, t->text, t->length, t->asks, &o->weak, why))
    return false;
  prog_weaken(o->weak->prog);
  struct answer_config weak = *c;
  if (!weak.max_executions || weak.max_executions > MOST_EXECUTIONS)
    weak.max_executions = MOST_EXECUTIONS;
  const struct model source = refused_source(o->model);
  struct explaining x = {.o = o,
                         .c = c,
                         .refused = {.prog = t->prog,
                                     .model = o->model,
                                     .options = model_own_options(o->model),
                                     .is_all = !o->is_cut && !o->is_racy}};
  x.state = xcalloc(t->vars.len + 1, sizeof *x.state);
  struct answer_search s = {.test = o->weak,
                            .model = &source,
                            .config = &weak,
                            .on_execution = on_execution,
                            .on_begin_again = on_begin_again,
                            .stop = &x.stop,
                            .arg = &x};
  bool is_all = answer_explore(&s, &is_cut, &limit);
  refused_check(&x.refused, t->name);
  o->refused = x.refused.view;
  o->is_explained = is_all || o->refused;
  free(x.state);
  return true;
}
