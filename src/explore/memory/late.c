// SPDX-License-Identifier: MIT
// Updates in pieces that are too late. An update of a single location that can
// read can also write. One that is made in pieces may be too late: another
// update has taken what one of its pieces has read. Its thread may stop there
// (search/write.c), since a later write may revisit one of the pieces and so
// make it whole. If that cannot happen, nothing that counts comes of such a
// graph.
//
// It cannot if nobody will write any more. Nor in this case. Let R be the reads
// of the update, r the first of them, which reads from the access A, and let
// the write behind that in co be of an update, and older than r. Let A be of
// all bytes of R, and so each write that is still to come, if it has any of
// them. Then r is not maximal (revisit.c) and never will be, so r keeps its
// source, and so do the others unless a write w at the location of one of them,
// r', revisits that. The access W of w is of the location of r, too, and
// piece by piece has come to it before w. If it is behind A there, it is behind
// R, and if r' reads it, R is behind it: the update is torn (model/whole.c). If
// it is before A there, it is before A at the location of w; so r' comes before
// A, and r behind it: torn as well, or, if A is of R's own thread, incoherent.
//
// What is still to come is asked of the code alone
// (bytecode/analysis/writes.c). An atomic access that has as many bytes as R,
// or more, has all of them, for both are aligned. But of a thread that stands
// before a join it is supposed that it writes nothing of the kind any more, nor
// creates a thread that does: main mostly does not, and its code seldom shows
// that. If one does after all, that is learned, and the search begins again.
// Could it be that just the executions are lost in which one does? Let w be
// such a write, in any execution, with the fewest events before it by po ∪ rf
// and the creation of threads. There is none among these. So a search for an
// execution that has them, and is maximal in all else, revisits no read for the
// sake of such a write, and loses nothing on the way to w.
#include "bytecode/analysis/writes.h"
#include "explore/memory/memory.h"

enum { MAX_CHAIN = 32 };

// By instruction.
static const uint8_t *writes_of(struct explorer *x) {
  if (!x->memory.writes)
    x->memory.writes = prog_find_writes(x->prog);
  return x->memory.writes;
}

unsigned memory_writes(struct explorer *x, thread_id t) {
  const struct prog *p = x->prog;
  const uint8_t *writes = writes_of(x);
  site_id chain[MAX_CHAIN];
  unsigned n = vm_backtrace(x->vm, x->g.threads[t].state, chain, MAX_CHAIN);
  if (n == 0 || n == MAX_CHAIN ||
      (p->on_return != UINT32_MAX && writes[p->funcs.at[p->on_return].first]))
    return WRITES_ANY;
  unsigned least = WRITES_NOTHING;
  for (unsigned i = 0; i < n; i++) {
    bool is_inside = i && (p->code.at[chain[i]].op == OP_call ||
                           p->code.at[chain[i]].op == OP_callr);
    unsigned width = writes[chain[i] + is_inside];
    least = width > least ? width : least;
  }
  return least;
}

static bool may_suppose(const struct explorer *x) {
  return !x->memory.writes_again &&
         (x->team || !x->observer.on_execution || x->observer.on_begin_again);
}

// Has its thread joined another one before, or whoever has created it?
static bool is_behind_join(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  for (uint32_t i = e->index; i-- > 0;)
    if (g->events[graph_at(g, e->thread, i)].kind == EV_JOIN)
      return true;
  event_id spawn = g->events[graph_at(g, e->thread, 0)].rf;
  return spawn != NO_EVENT && is_behind_join(g, spawn);
}

bool late_learns(struct explorer *x, event_id id) {
  if (x->memory.writes_again || x->g.events[id].kind != EV_WRITE ||
      !is_behind_join(&x->g, id))
    return false;
  x->memory.writes_again = true;
  if (!x->memory.supposed && !x->team)
    return false;
  x->restart |= RESTART;
  return true;
}

// What thread u may still write.
static unsigned will_write(struct explorer *x, thread_id u) {
  state_id s = x->g.threads[u].state;
  if (!s)
    return x->g.events[graph_tail(&x->g, u)].kind == EV_END ? WRITES_NOTHING
                                                            : WRITES_ANY;
  if (vm_access(x->vm, s)->kind != ACC_JOIN || !may_suppose(x))
    return memory_writes(x, u);
  x->memory.supposed = true;
  return WRITES_NOTHING;
}

// What all threads but t may still write.
static unsigned others_write(struct explorer *x, thread_id t) {
  unsigned least = WRITES_NOTHING;
  for (thread_id u = 0; u < x->g.nthreads; u++) {
    if (u == t || !graph_thread_length(&x->g, u))
      continue;
    unsigned width = will_write(x, u);
    least = width > least ? width : least;
  }
  return least;
}

// The bytes that a thread has read with the update whose first piece is there.
static uint64_t bytes_read(const struct explorer *x, event_id first) {
  const struct graph *g = &x->g;
  event_id last = graph_last_piece(g, first);
  const struct location *begin = vm_location(x->vm, g->events[first].loc),
                        *end = vm_location(x->vm, g->events[last].loc);
  return end->address + end->size - begin->address;
}

// Has the access of `id` all locations of the one that begins at `first`?
static bool covers(const struct graph *g, event_id id, event_id first) {
  const struct event *e = &g->events[first];
  uint32_t last = g->events[graph_last_piece(g, first)].index;
  for (uint32_t i = e->index; id != INIT_EVENT && i <= last; i++)
    if (graph_piece_at(g, id, g->events[graph_at(g, e->thread, i)].loc) ==
        NO_EVENT)
      return false;
  return true;
}

// Is there something newer than its source that was there before it?
static bool was_old(const struct graph *g, event_id read) {
  const struct event_list *co = &g->locs.at[g->events[read].loc].co;
  for (uint32_t i = graph_co_place(g, read) + 1; i < co->len; i++)
    if (co->at[i] < read)
      return true;
  return false;
}

bool late_stays(struct explorer *x, thread_id t) {
  const struct graph *g = &x->g;
  if (x->cycles.guesses)
    return false;
  event_id first = graph_first_piece(g, graph_tail(g, t));
  uint64_t bytes = bytes_read(x, first);
  check(g->events[first].kind == EV_READ && bytes <= 16);
  bool is_kept = was_old(g, first) && covers(g, g->events[first].rf, first);
  return others_write(x, t) <=
         (is_kept ? width_of((uint32_t)bytes) : WRITES_NOTHING);
}
