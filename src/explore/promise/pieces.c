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
#include "explore/promise/promise.h"

// Does another thread have an event of this kind, with one of the flags if
// there are some, at the location of e?
static bool is_used_by_others(const struct graph *g, const struct event *e,
                              enum event_kind kind, uint32_t flags) {
  const struct graph_loc *l = &g->locs.at[e->loc];
  for (uint64_t rest = l->threads & ~(1ull << e->thread); rest;
       rest &= rest - 1) {
    const struct event_list *list = &l->by_thread[__builtin_ctzll(rest)];
    for (uint32_t i = 0; i < list->len; i++)
      if (g->events[list->at[i]].kind == kind &&
          (!flags || (g->events[list->at[i]].flags & flags)))
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

static bool may_be_promised(struct explorer *x, event_id read) {
  const struct graph *g = &x->g;
  const struct event *r = &g->events[read];
  uint32_t update = EVF_EXCLUSIVE | EVF_UPDATE;
  bool races = r->order == ORD_NA && !x->config.disabled[FIND_RACE] &&
               !x->config.warning[FIND_RACE];
  if (r->kind != EV_READ ||
      !is_used_by_others(g, r, EV_WRITE, races ? update : 0))
    return false;
  for (uint32_t i = r->index + 1; i < graph_thread_length(g, r->thread); i++) {
    const struct event *u = &g->events[graph_at(g, r->thread, i)];
    if (u->kind == EV_WRITE && is_used_by_others(g, u, EV_READ, 0) &&
        !is_one_update(g, r, u) && reader_is_free(x, read, i + 1))
      return true;
  }
  return false;
}

void promise_leave_out(struct explorer *x) {
  for (event_id e = x->g.last; e != INIT_EVENT; e = x->g.events[e].prev)
    if (may_be_promised(x, e)) {
      x->result.leaves_buffering = true;
      return;
    }
}
