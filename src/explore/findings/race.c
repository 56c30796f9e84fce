// SPDX-License-Identifier: MIT
// Races: two accesses, not both atomic, one of them a write, and nothing orders
// them. A new event is looked at against what is in the graph; whatever comes
// later in the search is looked at when it comes.
//
// With --races model what the model orders is ordered, too (race-order in its
// text). The graph may grow, but that orders no more of what is there: each
// thread can go on with newest writes, which come behind all others. So two
// accesses that are not ordered now are a race of an execution, too.
#include "explore/findings/findings.h"

#include <stdio.h>

// Do the clocks know only a part of happens-before? There are C++11's longer
// release sequences, and what a piece of an atomic access knows of the others.
static bool needs_definition(const struct explorer *x) {
  const struct model_options *o = &x->config.model_options;
  return o->in_pieces ||
         (o->c11_release_sequences && model_sequences_differ(&x->g));
}

// What happens before by the clocks does so by the definition too. A later
// write can end C++11's release sequences; so who relied on one looks again at
// the end.
bool explore_happens_before(struct explorer *x, event_id a, event_id b) {
  const struct model_options *o = &x->config.model_options;
  if (graph_hb(&x->g, a, b))
    return true;
  bool ok = needs_definition(x) && model_hb(&x->g, o, a, b);
  x->put_off.has_errors |= ok && o->c11_release_sequences;
  return ok;
}

// ---- the model's own order

void explore_forget_order(struct explorer *x) {
  if (x->put_off.knows_order)
    model_order_done(&x->put_off.order);
  x->put_off.knows_order = false;
}

static bool is_ordered_by_model(struct explorer *x, event_id a, event_id b) {
  const struct model *m = x->config.race_order;
  if (!m)
    return false;
  if (!x->put_off.knows_order) {
    if (x->tracks)
      deps_fill(x);
    m->order(m, &x->g, &x->config.model_options, &x->put_off.order);
    x->put_off.knows_order = true;
  }
  return model_order_has(&x->put_off.order, a, b);
}

bool explore_orders(struct explorer *x, event_id a, event_id b) {
  return explore_happens_before(x, a, b) || is_ordered_by_model(x, a, b);
}

// Is it a piece of a plain access?
static bool is_piece(const struct explorer *x, const struct event *e) {
  site_id pc;
  if (e->order != ORD_NA || !vm_backtrace(x->vm, e->pre, &pc, 1))
    return false;
  const struct insn *in = &x->prog->code.at[pc];
  return (in->op == OP_load || in->op == OP_store) &&
         imm_access_of(in->imm).size > vm_location(x->vm, e->loc)->size;
}

// May `o` see a part of `e`, a plain access? Then no machine orders the two as
// wholes. Where memory is not cut into pieces yet, that is if `o` is not of all
// its bytes.
static bool is_torn(const struct explorer *x, const struct event *e,
                    const struct event *o) {
  const struct location *l = vm_location(x->vm, e->loc),
                        *other = vm_location(x->vm, o->loc);
  if (e->loc == o->loc)
    return is_piece(x, e);
  return e->order == ORD_NA &&
         (l->address < other->address ||
          l->address + l->size > other->address + other->size);
}

// Two accesses do not happen before each other: are they ordered none the less?
// (Those of which one has a part of the other will have a location in common
// once the memory is cut.)
static bool are_ordered_by_model(struct explorer *x, event_id a, event_id b) {
  const struct event *e = &x->g.events[a], *o = &x->g.events[b];
  return x->config.race_order && !is_torn(x, e, o) && !is_torn(x, o, e) &&
         (e->loc != o->loc || is_ordered_by_model(x, a, b) ||
          is_ordered_by_model(x, b, a));
}

static bool conflict(const struct event *a, const struct event *b) {
  return (a->kind == EV_WRITE || b->kind == EV_WRITE) &&
         (a->order == ORD_NA || b->order == ORD_NA);
}

static enum outcome report_race(struct explorer *x, event_id id,
                                event_id other) {
  const struct event *e = &x->g.events[id], *o = &x->g.events[other];
  struct finding f = error_at(x, FIND_RACE, id);
  error_name_other(x, &f, other);
  snprintf(f.message, sizeof f.message,
           "%s %s races with %s %s of thread %u: %s orders them",
           e->order == ORD_NA ? "non-atomic" : "atomic",
           e->kind == EV_WRITE ? "write" : "read",
           o->order == ORD_NA ? "non-atomic" : "atomic",
           o->kind == EV_WRITE ? "write" : "read", o->thread,
           x->config.race_order ? "neither C11 nor the model" : "nothing");
  return error_add(x, f);
}

// The clocks know what happens before `id`, but for pieces.
static bool is_ordered(struct explorer *x, event_id id, event_id other) {
  return graph_hb(&x->g, id, other) ||
         (x->config.model_options.in_pieces &&
          (explore_happens_before(x, id, other) ||
           explore_happens_before(x, other, id))) ||
         are_ordered_by_model(x, id, other);
}

// An access of location `loc` that races with `id`; the two have bytes in
// common. NO_EVENT: there is none.
static event_id find_race(struct explorer *x, event_id id, loc_id loc) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  const struct graph_loc *l = &g->locs.at[loc];
  for (uint64_t rest = l->threads & ~(1ull << e->thread); rest;
       rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    const struct event_list *list = &l->by_thread[u];
    uint32_t ordered = clock_get(&g->clocks, e->hb, u);
    for (uint32_t i = list->len; i-- > 0;) {
      const struct event *o = &g->events[list->at[i]];
      if (o->index < ordered)
        break;
      if (conflict(e, o) && !is_ordered(x, id, list->at[i]))
        return list->at[i];
    }
  }
  return NO_EVENT;
}

enum outcome race_check(struct explorer *x, event_id id, loc_id loc) {
  if (x->config.disabled[FIND_RACE] || x->config.model->has_races ||
      x->cycles.is_scout)
    return GO_ON;
  event_id other = find_race(x, id, loc);
  return other == NO_EVENT ? GO_ON : report_race(x, id, other);
}

// By the clocks, which know C++20's release sequences.
static enum outcome check_by_clocks(struct explorer *x, event_id id) {
  loc_id loc = x->g.events[id].loc;
  return x->g.locs.at[loc].na ? race_check(x, id, loc) : GO_ON;
}

// Under C++11's release sequences, which order more, this is only a suspicion.
enum outcome race_check_access(struct explorer *x, event_id id) {
  if (!x->config.model_options.c11_release_sequences)
    return check_by_clocks(x, id);
  loc_id loc = x->g.events[id].loc;
  if (!x->put_off.may_race && x->g.locs.at[loc].na &&
      !x->config.disabled[FIND_RACE])
    x->put_off.may_race = find_race(x, id, loc) != NO_EVENT;
  return GO_ON;
}

// That there was a race in another graph does not count: it is not known to who
// takes over a part of the search, and as many graphs are left by everybody.
static bool may_race_here(struct explorer *x) {
  const struct graph *g = &x->g;
  bool may = false;
  if (!x->put_off.may_race || x->config.race_order)
    return x->put_off.may_race;
  for (event_id e = g->last; !may && e != INIT_EVENT; e = g->events[e].prev)
    may = is_access(&g->events[e]) && g->locs.at[g->events[e].loc].na &&
          find_race(x, e, g->events[e].loc) != NO_EVENT;
  return may;
}

bool explore_has_put_off(struct explorer *x) {
  return x->put_off.has_errors || may_race_here(x);
}

enum outcome race_check_at_end(struct explorer *x) {
  event_id one, other;
  if (!x->put_off.may_race || x->config.model->has_races)
    return GO_ON;
  explore_forget_order(x);
  if (needs_definition(x))
    return model_race(&x->g, &x->config.model_options, &one, &other)
               ? report_race(x, one, other)
               : GO_ON;
  enum outcome o = GO_ON;
  for (event_id e = x->g.events[INIT_EVENT].next; o == GO_ON && e != NO_EVENT;
       e = x->g.events[e].next)
    if (is_access(&x->g.events[e]))
      o = check_by_clocks(x, e);
  return o;
}
