// SPDX-License-Identifier: MIT
// Accesses of different size to the same bytes. No one write says what such a
// read yields, so both are made in pieces that they have in common (vm_cut):
// what happens to a piece is what happens to any location, and each model knows
// what to think of it. That is all for non-atomic accesses: either two of them
// race, or they are ordered and see each other whole.
//
// An atomic access is one, though: no thread may see a part of it. As long as
// everything that it conflicts with happens before or after it, none can.
// What the access itself learns by reading does not count for that: it might as
// well have read something else. Once there is a conflict that nothing orders,
// the search begins again, and from then on a graph must also be one in which
// the pieces of each access stand together (cat/eval/pieces.c).
#include "explore/findings/findings.h"
#include "explore/memory/memory.h"

#include <stdio.h>

static unsigned line_of(const struct explorer *x, site_id site) {
  return site == NO_SITE ? 0 : x->vm->prog->source.at[site].line;
}

// The number of bytes that the access of an event has in all.
static uint32_t size_of(const struct explorer *x, const struct event *e) {
  site_id pc;
  if ((e->flags & EVF_PIECE) && vm_backtrace(x->vm, e->pre, &pc, 1))
    return imm_access_of(x->prog->code.at[pc].imm).size;
  return vm_location(x->vm, e->loc)->size;
}

// The search ends, whatever the model thinks of the graph so far, because the
// values in it may be wrong.
static enum outcome refuse(struct explorer *x, event_id id, event_id other,
                           const char *why) {
  const struct event *e = &x->g.events[id];
  struct finding f = error_at(x, FIND_UNSUPPORTED, id);
  error_name_other(x, &f, other);
  uint32_t one = size_of(x, e), two = size_of(x, &x->g.events[other]);
  snprintf(f.message, sizeof f.message,
           "this access of %u byte%s (thread %u) overlaps the access of %u "
           "byte%s in line %u (thread %u); Heddle does not support accesses of "
           "different size to the same memory %s",
           one, one == 1 ? "" : "s", e->thread, two, two == 1 ? "" : "s",
           line_of(x, f.other_site), f.other_thread, why);
  return error_refuse(x, f);
}

static const char *why_not_cut(const struct explorer *x) {
  if (!cells_may_begin_again(x))
    return "that turn up after executions were told";
  return "where one of them is a lock or an instruction of its own";
}

// How many events of thread u happen before the access of `e` begins: what it
// learns by reading itself does not count.
static uint32_t known_before(const struct graph *g, const struct event *e,
                             unsigned u) {
  uint32_t i = e->index - 1;
  if (e->flags & EVF_PIECE)
    while (i && g->events[graph_at(g, e->thread, i)].flags & EVF_PIECE &&
           is_access(&g->events[graph_at(g, e->thread, i)]))
      i--;
  return clock_get(&g->clocks, g->events[graph_at(g, e->thread, i)].hb, u);
}

// Looks for a conflict that nothing orders with `e`, one of the two being a
// piece of an atomic access; of accesses that have not the same size, if that
// is asked for.
static event_id find_conflict(const struct explorer *x, event_id id,
                              bool differs) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  const struct graph_loc *l = &g->locs.at[e->loc];
  for (uint64_t rest = l->threads & ~(1ull << e->thread); rest;
       rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    const struct event_list *list = &l->by_thread[u];
    uint32_t ordered = known_before(g, e, u);
    for (uint32_t i = list->len; i-- > 0;) {
      const struct event *o = &g->events[list->at[i]];
      if (o->index < ordered)
        break;
      if ((e->kind == EV_WRITE || o->kind == EV_WRITE) &&
          ((e->flags | o->flags) & EVF_PIECE) &&
          known_before(g, o, e->thread) <= e->index &&
          (!differs || size_of(x, e) != size_of(x, o)))
        return list->at[i];
    }
  }
  return NO_EVENT;
}

// The first access that the graph has of a location.
static event_id first_of(const struct explorer *x, loc_id l) {
  const struct graph_loc *loc = &x->g.locs.at[l];
  return loc->by_thread[__builtin_ctzll(loc->threads)].at[0];
}

enum outcome mixed_check_overlap(struct explorer *x, event_id id) {
  loc_id loc = x->g.events[id].loc, found = NO_LOC;
  for (loc_id o = vm_next_overlap(x->vm, loc, NO_LOC); o != NO_LOC;
       o = vm_next_overlap(x->vm, loc, o)) {
    if (o >= x->g.locs.len || !x->g.locs.at[o].threads)
      continue;
    found = o;
    // If nothing orders the two, that is a race like any other.
    if (!explore_judges_at_end(x) && race_check(x, id, o) == STOP)
      return STOP;
  }
  if (found == NO_LOC)
    return GO_ON;
  event_id other = first_of(x, found);
  return cells_learn(x, id, other) ? STOP
                                   : refuse(x, id, other, why_not_cut(x));
}

// May a piece of an atomic access be among those of a location?
static bool has_pieces(const struct explorer *x, loc_id l) {
  for (loc_id o = vm_next_overlap(x->vm, l, NO_LOC); o != NO_LOC;
       o = vm_next_overlap(x->vm, l, o))
    if (vm_location(x->vm, o)->cuts)
      return true;
  return false;
}

// Why whole accesses cannot be judged; NULL: they can.
#define UNORDERED "where an atomic one is not ordered with the others"
#define ADVICE                                                                 \
  "\ngive all of them the same type and take values apart in local "           \
  "variables, or order them, by a lock for example"
#define MODELS                                                                 \
  "; sc, tso, pso, ra, rc11, c11, xmm, imm, armv8, "                           \
  "armv7, power and riscv say what they do"
static const char *why_not_judged(const struct explorer *x) {
  const struct model *m = x->config.model;
  if (explore_reduces(x, REDUCE_RF))
    return UNORDERED " with --equivalence rf" ADVICE;
  if (x->config.refuses_pieces)
    return UNORDERED " in heddle optimize" ADVICE;
  const struct model *known = m->lifts ? m : model_builtin(m);
  if (!known)
    return UNORDERED " under this model" ADVICE MODELS;
  if (m->tracks_dependencies && !known->whole && !m->lifts)
    return UNORDERED " under this model" ADVICE MODELS;
  if (m->filters && !known->filters)
    return UNORDERED " by the text of the model alone" ADVICE MODELS;
  if (m->filters)
    return UNORDERED " under a model that does not have them: in Java a "
                     "variable has one size" ADVICE;
  if (x->config.model_options.sc_rule != SC_OWN)
    return UNORDERED " with another rule for seq_cst" ADVICE;
  return cells_may_begin_again(x) ? NULL : why_not_cut(x);
}

// One such warning is enough.
static bool has_warned(const struct explorer *x) {
  for (uint32_t i = 0; i < x->result.findings.len; i++)
    if (x->result.findings.at[i].kind == FIND_MIXED_SIZE)
      return true;
  return false;
}

static enum outcome warn(struct explorer *x, event_id id, event_id other) {
  const struct event *e = &x->g.events[id], *o = &x->g.events[other];
  struct finding f = error_at(x, FIND_MIXED_SIZE, id);
  error_name_other(x, &f, other);
  uint32_t one = size_of(x, e), two = size_of(x, o);
  snprintf(f.message, sizeof f.message,
           "atomic access of %u byte%s is not ordered with one of %u byte%s of "
           "thread %u to the same memory",
           one, one == 1 ? "" : "s", two, two == 1 ? "" : "s", o->thread);
  return error_add(x, f);
}

// The texts of c11 and jam21 have axioms by which what a write of an update
// needs, its read does: pieces of an update would need each other, and no
// execution have one. (The fast code, which is used otherwise, does not ask
// that.) A text of
// the user's may say such things of updates, too; those of the other built-in
// models are known not to (tests/prop/test_mixed.c).
static bool is_text_of_wholes(const struct model *m) {
  const struct model *known = model_builtin(m);
  return m->text && (known ? known->text_is_of_wholes : !m->takes_pieces);
}

static enum outcome refuse_update(struct explorer *x, event_id id) {
  struct finding f = error_at(x, FIND_UNSUPPORTED, id);
  snprintf(f.message, sizeof f.message,
           "other accesses to the memory of this update have another size; "
           "Heddle does not support that where only the text of the model %s "
           "decides\n%s",
           x->config.model->name,
           model_builtin(x->config.model)
               ? "without --definition it says what they do"
               : "the built-in models say what they do");
  return error_refuse(x, f);
}

enum outcome mixed_check_order(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if ((e->flags & EVF_PIECE) && (e->flags & (EVF_UPDATE | EVF_CAS)) &&
      is_text_of_wholes(x->config.model))
    return refuse_update(x, id);
  bool is_judged = x->config.model_options.in_pieces;
  if ((is_judged && (!x->config.model->is_language || has_warned(x))) ||
      !has_pieces(x, e->loc))
    return GO_ON;
  event_id other = find_conflict(x, id, /*differs=*/is_judged);
  if (other == NO_EVENT)
    return GO_ON;
  if (is_judged)
    return warn(x, id, other);
  const char *why = why_not_judged(x);
  if (why)
    return refuse(x, id, other, why);
  x->config.model_options.in_pieces = true;
  x->restart |= RESTART_WITH_MEMORY;
  return STOP;
}

bool mixed_judge(struct explorer *x) {
  if (!x->config.model_options.in_pieces && why_not_judged(x))
    return false;
  x->config.model_options.in_pieces = true;
  return true;
}
