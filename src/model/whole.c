// SPDX-License-Identifier: MIT
// What an atomic access means that is made in pieces. Each piece is an event of
// its own location; `same` relates the pieces of one access. The text of a
// model is rewritten (cat/eval/pieces.c) so that a term is about accesses: x is
// before y if a piece of x is before a piece of y, where what is said of one
// location at once (eco, a release sequence, a base relation) is said of the
// pieces first. And there is one axiom more,
//
//   seen = same; (rfe ∪ co ∪ fr)+; same      empty seen ∩ seen⁻¹
//
// An axiom that speaks of one location only (atomicity) stays as it is.
//
// So a fast check of a model is right for wholes if it takes the accesses for
// its nodes: a walk that comes to a piece comes to all of the access, one that
// leaves it leaves from each piece. The pieces of an access follow each other
// in po (graph/pieces.c) and nothing happens between them, so an access is a
// stretch of its thread. The newest access X has nothing behind it in po; a
// cycle that was not there before goes through X, or, if its newest event has
// revisited a read, through the access R of that read. Unlike events, X and R
// do not lead to the same writes: each has pieces at other locations. So one
// search begins at X and looks for X, another one begins at R and looks for R.
//
// Happens-before. A write learns nothing, so all its pieces have one clock, and
// who knows one of them knows the others (hb.c). A read has learned what its
// last piece knows. A count of a clock is never one of a piece of a read that
// is not its last: it comes of releases, fences, creations and joins. Hence
//
//   X happens before Y  iff  the clock of the last piece of Y knows a piece of
//   X
//
// and release sequences, which are of one location, are what a piece carries.
//
// Coherence, irreflexive(hb; (same; eco; same)?): eco is of one location, so
// this says of each piece what coherence says of an event, by the clock of its
// access. The search has asked that of the newest event; but if that is a piece
// of a read and has learned something, the earlier pieces are asked again. No
// other access has learned anything.
//
// Seen as a whole. Let the place of a write be that in co, that of a read the
// place of its source. A path of rfe ∪ co ∪ fr goes along co, and ends with rfe
// if it ends at a read. So
//
//   a piece x is before the write y   iff  place(x) < place(y),
//   a write x is before the read y    iff  place(x) ≤ place(y) and
//   a read x is before the read y     iff  place(x) < place(y),
//
// the latter two only if y reads from another thread. A new event adds no such
// pair of old events (it has no reader but the revisited one); so the axiom is
// asked of X and R alone, with each access that a piece of them is before.
// Along a thread places only grow, by coherence, so these are found from the
// end of each thread.
#include "model/whole.h"

bool whole_is_atomic(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (e->kind != EV_WRITE || !(e->flags & EVF_PIECE))
    return true;
  if (e->flags & EVF_UPDATE) {
    event_id read = graph_updated_piece(g, e->thread, e->index, e->loc);
    if (graph_co_place(g, read) + 1 != e->co)
      return false;
  }
  const struct event_list *co = &g->locs.at[e->loc].co;
  const struct event *next =
      e->co + 1 < co->len ? &g->events[co->at[e->co + 1]] : NULL;
  if (!next || !ends_update(next))
    return true;
  event_id read =
      next->flags & EVF_UPDATE
          ? graph_updated_piece(g, next->thread, next->index, next->loc)
          : graph_at(g, next->thread, next->index - 1);
  return g->events[read].rf == id;
}

static bool is_coherent(const struct graph *g, event_id id) {
  const struct event *last = &g->events[id];
  unsigned t = last->thread;
  if (last->kind != EV_READ || !(last->flags & EVF_PIECE))
    return true;
  for (uint32_t i = whole_begin(g, t, last->index); i <= last->index; i++) {
    event_id piece = graph_at(g, t, i);
    const struct event *p = &g->events[piece];
    if ((i == last->index || p->hb != last->hb) &&
        graph_co_floor(g, p->loc, p->thread, p->index, last->hb) >
            graph_co_place(g, piece))
      return false;
  }
  return true;
}

// Is x before y, both of one location, in (rfe ∪ co ∪ fr)+?
static bool is_seen_before(const struct graph *g, event_id x, event_id y) {
  const struct event *to = &g->events[y];
  uint32_t from = graph_co_place(g, x), place = graph_co_place(g, y);
  if (to->kind == EV_WRITE)
    return from < place;
  if (to->rf == INIT_EVENT || g->events[to->rf].thread == to->thread)
    return false;
  return g->events[x].kind == EV_WRITE ? from <= place : from < place;
}

// Does piece x, of the same access as `newest`, come before an access that
// comes before theirs at another location, x or `newest` being one of the two?
static bool is_torn_at(const struct graph *g, event_id x, event_id newest,
                       bool has_reader) {
  const struct event *e = &g->events[x], *n = &g->events[newest];
  const struct graph_loc *l = &g->locs.at[e->loc];
  uint32_t first = graph_co_place(g, x) + (e->kind == EV_READ);
  bool is_unread = e->kind == EV_WRITE && x == newest && !has_reader;
  if (first + is_unread >= l->co.len)
    return false; // x is before nothing (a new write is not read yet)
  uint32_t begin = whole_begin(g, n->thread, n->index);
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    const struct event_list *list = &l->by_thread[__builtin_ctzll(rest)];
    for (uint32_t i = list->len; i-- > 0;) {
      event_id y = list->at[i], back;
      if (graph_co_place(g, y) < first)
        break;
      if (!(g->events[y].flags & EVF_PIECE) || !is_seen_before(g, x, y))
        continue;
      for (uint32_t k = x == newest ? begin : n->index; k <= n->index; k++) {
        event_id piece = graph_at(g, n->thread, k);
        back = graph_piece_at(g, y, g->events[piece].loc);
        if (back != NO_EVENT && is_seen_before(g, back, piece))
          return true;
      }
    }
  }
  return false;
}

static bool is_seen_whole(const struct graph *g, event_id id, bool has_reader) {
  const struct event *e = &g->events[id];
  if (!(e->flags & EVF_PIECE))
    return true;
  for (uint32_t i = whole_begin(g, e->thread, e->index); i <= e->index; i++)
    if (is_torn_at(g, graph_at(g, e->thread, i), id, has_reader))
      return false;
  return true;
}

bool whole_consistent(const struct graph *g, event_id e, event_id other) {
  if (!is_access(&g->events[e]))
    return true;
  return whole_is_atomic(g, e) && is_coherent(g, e) &&
         is_seen_whole(g, e, /*has_reader=*/other != NO_EVENT) &&
         (other == NO_EVENT || (is_coherent(g, other) &&
                                is_seen_whole(g, other, /*has_reader=*/true)));
}

bool whole_leads_on(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  for (uint32_t i = whole_begin(g, e->thread, e->index); i <= e->index; i++) {
    event_id piece = graph_at(g, e->thread, i);
    if (graph_co_place(g, piece) + 1 < g->locs.at[g->events[piece].loc].co.len)
      return true;
  }
  return false;
}
