// SPDX-License-Identifier: MIT
// Compare-exchanges that are one instruction and no branch (EVF_PICK), in
// models with promises. What comes after one may be promised to its read, since
// it depends on nothing but the value. But with another value it may succeed
// where it failed, or the other way round, and then a write is there that was
// not: the graph without the promise (promise.c: the parent) has other events,
// and the reverse search would not find the way back.
//
// So, where that may happen, the search begins again with *chosen* outcomes:
// each such CAS first chooses whether it succeeds, and then does so whatever it
// reads. Then it is an exchange or a plain load, the events of a graph do not
// depend on what is read, and all that promise.c and revisit.c say holds. Most
// of these graphs are no executions: those count in which every outcome is the
// one that the value read has. Each execution is such a graph, with one choice
// of outcomes, so it is met once. Errors have to wait until this is known.
//
// It may happen if a write, or another such CAS, follows in the thread that the
// read of the CAS, or a read that the expected value was computed from, is not
// ordered before: only such reads are promised something (is_free in
// promise.c). Executions are looked at for that. (In most programs a branch
// follows, which orders all writes.)
#include "explore/cycles/promise/promise.h"
#include "explore/findings/findings.h"
#include "explore/memory/memory.h"

#include <stdlib.h>

struct cas_choice {
  bool are_in; // there are some,
  bool differ; // and one would have had another outcome with a promise
};

static struct cas_choice *cas_of(const struct explorer *x) {
  return x->state[REDUCTION_CAS_CHOICE];
}

static bool is_in(const struct prog *p) {
  for (uint32_t i = 0; i < p->code.len; i++)
    if (p->code.at[i].op == OP_cas_load &&
        imm_access_of(p->code.at[i].imm).how & HOW_PICK)
      return true;
  return false;
}

// Might the read be promised something, in a beginning of its thread that ends
// behind the event at index `from`?
static bool is_free_behind(struct explorer *x, event_id read, uint32_t from) {
  const struct graph *g = &x->g;
  thread_id t = g->events[read].thread;
  for (uint32_t i = from + 1; i < graph_thread_length(g, t); i++)
    if (reader_may_be_free(x, read, graph_at(g, t, i)))
      return true;
  return false;
}

// May a promise change the outcome of the CAS that `id` is the read of?
static bool may_change(struct explorer *x, event_id id) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  uint32_t last = e->index + (e->flags & EVF_EXCLUSIVE ? 1 : 0);
  deps_fill(x);
  if (is_free_behind(x, id, last))
    return true;
  set_id expected = g->deps[id].data;
  for (uint32_t k = expected ? set_len(g->sets, expected) : 0; k-- > 0;) {
    event_id r = graph_at(g, e->thread, set_at(g->sets, expected, k));
    if (g->events[r].kind == EV_READ && is_free_behind(x, r, last))
      return true;
  }
  return false;
}

static bool may_any_change(struct explorer *x) {
  const struct graph *g = &x->g;
  for (event_id id = g->last; id != INIT_EVENT; id = g->events[id].prev)
    if (g->events[id].kind == EV_READ && (g->events[id].flags & EVF_PICK) &&
        may_change(x, id))
      return true;
  return false;
}

void cas_choice_differs(struct explorer *x) {
  cas_of(x)->differ = true;
}

static enum outcome look_at_whole(struct explorer *x) {
  if (!cas_of(x)->differ && !may_any_change(x))
    return GO_ON;
  if (!cells_may_begin_again(x)) {
    error_note_cut(x, "a compare-exchange that a promise would let succeed or "
                      "fail");
    return GO_ON;
  }
  x->chooses_outcomes = true;
  hooks_refute(x, REDUCE_CAS_CHOICE);
  x->restart |= RESTART_WITH_MEMORY;
  return STOP;
}

void cas_choice_begin(struct explorer *x) {
  cas_of(x)->are_in = x->promises && is_in(x->prog);
  x->chooses_outcomes =
      cas_of(x)->are_in && (!(x->config.reductions & REDUCE_CAS_CHOICE) ||
                            (x->refuted & REDUCE_CAS_CHOICE));
}

static void init(struct explorer *x) {
  x->state[REDUCTION_CAS_CHOICE] = xcalloc(1, sizeof(struct cas_choice));
  cas_choice_begin(x);
}

static void done(struct explorer *x) {
  free(cas_of(x));
}

static const char *why_not(const struct explorer *x) {
  return cas_of(x)->are_in ? NULL : "there are none that matter";
}

const struct mechanism cas_choice_hooks = {
    .init = init,
    .done = done,
    .why_not = why_not,
    .at_whole = look_at_whole,
};
