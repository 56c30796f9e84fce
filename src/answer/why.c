// SPDX-License-Identifier: MIT
// Why nothing ends as was asked: an execution that would, and what the
// model has against it. It comes from the same test, read once more, with
// weaker orders (report/refused.h).
#include "answer/answer.h"
#include "report/refused.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EXECUTIONS = 200000 }; // that are looked at; tests are small

struct explaining {
  const struct answer_quest *q;
  const struct answer_config *c;
  struct answer_refused *ret;
  struct refused refused;
  uint64_t *state;
  atomic_bool stop;
};

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct explaining *x = arg;
  const struct litmus *weak = x->ret->weak;
  const struct view *before = x->refused.view;
  if (x->c->interrupted && atomic_load(x->c->interrupted))
    atomic_store(&x->stop, true);
  if (is_blocked || !answer_is_final(weak, g))
    return;
  answer_state(weak, vm, g, x->state);
  if (!x->q->is_wanted(x->q->arg, weak, x->state))
    return;
  if (refused_consider(&x->refused, weak->prog, vm, g))
    atomic_store(&x->stop, true);
  if (x->refused.view != before)
    memcpy(x->ret->state, x->state, weak->vars.len * sizeof *x->state);
}

// What was considered is an execution still.
static void on_begin_again(void *arg) {
  (void)arg;
}

bool answer_find_refused(const struct answer_quest *q,
                         const struct answer_config *c,
                         struct answer_refused *ret, struct diag *why) {
  const struct litmus *t = q->test;
  struct diag limit;
  struct answer_loops unused;
  *ret = (struct answer_refused){0};
  // What the test asks may be another test's question, so that is copied.
  if (!litmus_read(t->file, t->text, t->length, t->asks, &ret->weak, why))
    return false;
  if (!q->source)
    prog_weaken(ret->weak->prog);
  struct answer_config weak = *c;
  if (!weak.max_executions || weak.max_executions > MOST_EXECUTIONS)
    weak.max_executions = MOST_EXECUTIONS;
  const struct model coherent = refused_source(q->model);
  struct explaining x = {.q = q,
                         .c = c,
                         .ret = ret,
                         .refused = {.prog = t->prog,
                                     .model = q->model,
                                     .options = model_own_options(q->model),
                                     .allowed_by = q->allowed_by,
                                     .is_all = q->is_all,
                                     .relations = c->relations,
                                     .nrelations = c->nrelations,
                                     .takes_any = q->takes_any}};
  x.state = xcalloc(t->vars.len + 1, sizeof *x.state);
  ret->state = xcalloc(t->vars.len + 1, sizeof *ret->state);
  struct answer_search s = {.test = ret->weak,
                            .model = q->source ? q->source : &coherent,
                            .config = &weak,
                            .on_execution = on_execution,
                            .on_begin_again = on_begin_again,
                            .stop = &x.stop,
                            .arg = &x};
  bool is_all = answer_explore(&s, &unused, &limit);
  refused_check(&x.refused, t->name);
  ret->view = x.refused.view;
  ret->is_settled = is_all || ret->view;
  free(x.state);
  return true;
}

void answer_refused_done(struct answer_refused *r) {
  view_free(r->view);
  if (r->weak)
    litmus_free(r->weak);
  free(r->state);
  *r = (struct answer_refused){0};
}

static bool is_asked_for(void *arg, const struct litmus *t,
                         const uint64_t *state) {
  (void)arg;
  return answer_is_asked_for(t, state);
}

bool answer_explain(struct answer *o, const struct answer_config *c,
                    struct diag *why) {
  struct answer_quest q = {.test = o->test,
                           .model = o->model,
                           .is_all = !o->is_cut && !o->is_racy,
                           .is_wanted = is_asked_for};
  return answer_find_refused(&q, c, &o->refused, why);
}
