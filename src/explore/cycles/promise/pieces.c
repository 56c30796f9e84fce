// SPDX-License-Identifier: MIT
// Promises where atomic accesses are made in pieces (mixed.c) are not explored:
// what is promised would be a whole access, and so would what is taken back
// (promise.c). Without them the search is that of other models. But it must be
// said that something is missing, if something may be.
//
// Let K be a core with the fewest reads that are promised something, w an event
// that can be taken back, r one of its reads, and u the last event of r's
// thread in K; nothing orders r before u, and another thread reads u [promise.c
// has the argument, of whole accesses here]. Take w back, and take out the
// access of w, with its reads if it is an update: what is left has no cycle and
// the model allows it, so the search meets executions that begin like that. Its
// threads are where they were but for that access; so r and u are there, and
// the access is added again. Hence: if no execution has a read r and a later
// write u of its thread that are not ordered, such that another thread writes
// the location of r and another one reads that of u, nothing is missing. (If r
// is not atomic and w no update, both are there when w is taken back, and they
// race.)
//
// Nor are promises all that there are where an instruction picks one of two
// values that depend on different reads (CSEL). Taking a promise back may let
// it pick the other one: then a store depends on what it did not depend on, and
// the graph without the promise may be one that the model forbids, though the
// core is none. So a core may have no parent; tests/litmus/known has one.
//
// Compilers make a branch of a select, or a conditional move. Of a load whose
// address it yields, or that is forwarded what it yields, a branch orders
// nothing, but texts that tell picks from no other dependency do (riscv.cat
// without the variant "picks", which is taken for programs that pick; it orders
// what both would order, and tests/random/selects.py compares it with them).
// Let E be an execution that such a text forbids for that reason alone. Add its
// events one by one, sources first, to a graph: the first one that makes it
// forbidden closes a cycle through such a load m, which is there, or is that
// event, and then reads something else instead; its address, or the write that
// it may be forwarded from, is the same. That graph is part of an execution
// that is explored, and says that some may be missing. (With load buffering
// promised values are there first, which changes no address.)
//
// Nor are executions that others justify (explore/justify), for the same
// reason. The first of them, with the fewest steps from executions without
// cycles, has its read r that takes another value from one without: there r is
// before what it reads now, by way of a write u that nothing orders behind it.
// Dependencies do not count there.
#include "explore/cycles/promise/promise.h"

#include "bytecode/analysis/writes.h"

#include <stdlib.h>

// Has the thread of `e` joined thread t before? Then it is behind all of that,
// whatever happens.
static bool has_joined(const struct graph *g, const struct event *e,
                       thread_id t) {
  for (uint32_t i = 0; i < e->index; i++) {
    const struct event *o = &g->events[graph_at(g, e->thread, i)];
    if (o->kind == EV_JOIN && o->loc == t)
      return true;
  }
  return false;
}

// Does another thread, which has not joined this one, have an event of this
// kind, with one of the flags if there are some, at the location of e?
static bool is_used_by_others(const struct graph *g, const struct event *e,
                              enum event_kind kind, uint32_t flags) {
  const struct graph_loc *l = &g->locs.at[e->loc];
  for (uint64_t rest = l->threads & ~(1ull << e->thread); rest;
       rest &= rest - 1) {
    const struct event_list *list = &l->by_thread[__builtin_ctzll(rest)];
    for (uint32_t i = 0; i < list->len; i++)
      if (g->events[list->at[i]].kind == kind &&
          (!flags || (g->events[list->at[i]].flags & flags)) &&
          !has_joined(g, &g->events[list->at[i]], e->thread))
        return true;
  }
  return false;
}

// Are the two pieces of the halves of one update? Its reads come first.
static bool is_one_update(const struct graph *g, const struct event *r,
                          const struct event *u) {
  bool writes = false;
  for (uint32_t i = r->index; i <= u->index; i++) {
    const struct event *e = &g->events[graph_at(g, r->thread, i)];
    if (!is_access(e) || !(e->flags & EVF_PIECE) ||
        !(e->flags & (EVF_UPDATE | EVF_CAS)) || (writes && e->kind == EV_READ))
      return false;
    writes |= e->kind == EV_WRITE;
  }
  return true;
}

// Does nothing but the program order the read before write u of its thread?
static bool is_free(struct explorer *x, event_id read, const struct event *u) {
  const struct graph *g = &x->g;
  const struct event *r = &g->events[read];
  if (x->tracks)
    return reader_may_be_free(x, read, graph_at(g, u->thread, u->index));
  for (uint32_t i = r->index + 1; i < u->index; i++) {
    const struct event *e = &g->events[graph_at(g, r->thread, i)];
    if (e->kind == EV_FENCE && e->order != ORD_NA)
      return false;
  }
  return !order_acquires(r->order) && !order_releases(u->order);
}

static bool may_be_promised(struct explorer *x, event_id read) {
  const struct graph *g = &x->g;
  const struct event *r = &g->events[read];
  uint32_t update = EVF_EXCLUSIVE | EVF_UPDATE;
  bool races = r->order == ORD_NA && !x->config.disabled[FIND_RACE] &&
               !x->config.race_order && !x->config.warning[FIND_RACE];
  if (r->kind != EV_READ ||
      !is_used_by_others(g, r, EV_WRITE, races ? update : 0))
    return false;
  for (uint32_t i = r->index + 1; i < graph_thread_length(g, r->thread); i++) {
    const struct event *u = &g->events[graph_at(g, r->thread, i)];
    if (u->kind == EV_WRITE && is_used_by_others(g, u, EV_READ, 0) &&
        !is_one_update(g, r, u) && is_free(x, read, u))
      return true;
  }
  return false;
}

// c11 has an axiom by which what a write of an update needs, its read does: the
// pieces of an update would need each other, so no core has one, even where all
// accesses are ordered and are not judged as wholes.
static bool has_update_in_pieces(const struct graph *g) {
  for (event_id e = g->last; e != INIT_EVENT; e = g->events[e].prev)
    if (is_access(&g->events[e]) && (g->events[e].flags & EVF_PIECE) &&
        (g->events[e].flags & (EVF_UPDATE | EVF_CAS)))
      return true;
  return false;
}

static bool are_promises_missing(const struct explorer *x) {
  return x->config.model_options.in_pieces ||
         (x->config.model->c11_release_sequences &&
          has_update_in_pieces(&x->g));
}

// Does what store w depends on come before what it is forwarded to?
static bool orders_forwarded(const struct graph *g, event_id w,
                             const struct event *read) {
  const struct event_deps *d = &g->deps[w];
  bool is_update = g->events[w].flags & (EVF_UPDATE | EVF_EXCLUSIVE);
  return d->addr || d->data || (is_update && order_acquires(read->order));
}

// A load may take a part of its bytes from a store of its own thread, before
// others see that, and the rest later. ARM puts what the store depends on
// before the first part alone; the rewritten text (cat/eval/pieces.c) puts it
// before the whole load, so that executions are missing. They have such a load,
// and so has one that is explored, in which the rest comes from the newest
// write.
static bool is_forwarded_in_part(const struct explorer *x, event_id id) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  if (!x->tracks || x->config.model->is_language || e->kind != EV_READ ||
      !(e->flags & EVF_PIECE) || e->rf == INIT_EVENT ||
      g->events[e->rf].thread != e->thread || !orders_forwarded(g, e->rf, e))
    return false;
  uint32_t first = g->events[graph_first_piece(g, id)].index,
           last = g->events[graph_last_piece(g, id)].index;
  for (uint32_t i = first; i <= last; i++) {
    event_id rf = g->events[graph_at(g, e->thread, i)].rf;
    if (rf == INIT_EVENT || g->events[rf].thread != e->thread)
      return true;
  }
  return false;
}

// One of two constants depends on no read, whichever it is.
static bool picks_reads(const struct func *f, const struct insn *in) {
  return in->op == OP_pick && (in->c < f->nregs || in->imm < f->nregs);
}

// Are there instructions that pick, with a write behind them? What is promised
// something is before a write, and so is what depends on it. (Functions of a
// litmus test are threads; of another one it is not known who calls it.)
static bool has_picks(const struct prog *p) {
  uint8_t *writes = prog_find_writes(p);
  bool found = false;
  for (uint32_t n = 0; n < p->funcs.len && !found; n++) {
    const struct func *f = &p->funcs.at[n];
    for (uint32_t i = f->first; i < f->end && !found; i++)
      found = picks_reads(f, &p->code.at[i]) && (writes[i] || !p->is_litmus);
  }
  free(writes);
  return found;
}

static void find_picks(struct explorer *x) {
  if (x->cycles.picks == PICKS_UNKNOWN)
    x->cycles.picks = !prog_has_op(x->prog, OP_pick) ? PICKS_NONE
                      : has_picks(x->prog)           ? PICKS_READS
                                                     : PICKS_ANY;
}

static bool may_pick(struct explorer *x) {
  find_picks(x);
  return x->promises && x->cycles.picks == PICKS_READS;
}

// Is more ordered than both a branch and a conditional move would order?
static bool may_order_picks(struct explorer *x) {
  find_picks(x);
  return x->tracks && x->config.model->mixes_picks &&
         x->cycles.picks != PICKS_NONE;
}

static bool has_picked(const struct sets *sets, set_id set) {
  for (uint32_t k = 0; k < set_len(sets, set); k++)
    if (set_is_pick(sets, set, k))
      return true;
  return false;
}

// Does its thread read later where the event is?
static bool is_read_later(const struct graph *g, const struct event *e) {
  const struct event_list *list = &g->locs.at[e->loc].by_thread[e->thread];
  for (uint32_t i = 0; i < list->len; i++)
    if (g->events[list->at[i]].kind == EV_READ &&
        g->events[list->at[i]].index > e->index)
      return true;
  return false;
}

static bool orders_picks(struct explorer *x) {
  const struct graph *g = &x->g;
  if (!may_order_picks(x))
    return false;
  deps_fill(x);
  if (!g->sets->has_picks)
    return false;
  for (event_id id = g->last; id != INIT_EVENT; id = g->events[id].prev) {
    const struct event *e = &g->events[id];
    if ((e->kind == EV_READ && has_picked(g->sets, g->deps[id].addr)) ||
        (e->kind == EV_WRITE &&
         (has_picked(g->sets, g->deps[id].addr) ||
          has_picked(g->sets, g->deps[id].data)) &&
         is_read_later(g, e)))
      return true;
  }
  return false;
}

// Does what a store depends on depend on a value that might be promised?
static bool may_flip(struct explorer *x) {
  if (!may_pick(x))
    return false;
  deps_fill(x);
  return x->g.sets->has_flips;
}

bool promise_asks_whole(struct explorer *x) {
  return (x->tracks || x->config.model->justifier) &&
         !x->result.leaves_buffering &&
         ((vm_has_cuts(x->vm) && are_promises_missing(x)) || may_pick(x) ||
          may_order_picks(x));
}

void promise_leave_out(struct explorer *x) {
  if (may_flip(x) || orders_picks(x)) {
    x->result.leaves_buffering = true;
    return;
  }
  if (!are_promises_missing(x))
    return;
  if (x->tracks)
    deps_fill(x);
  for (event_id e = x->g.last; e != INIT_EVENT; e = x->g.events[e].prev)
    if (may_be_promised(x, e) || is_forwarded_in_part(x, e)) {
      x->result.leaves_buffering = true;
      return;
    }
}
