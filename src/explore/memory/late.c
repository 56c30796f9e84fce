// SPDX-License-Identifier: MIT
// Updates in pieces that are too late. An update of a single location that can
// read can also write. One that is made in pieces may be too late: another
// update has taken what one of its pieces has read, or something that its
// thread knows comes behind that. Its thread may stop there (search/write.c),
// since a later write may revisit one of the pieces and so make it whole. But
// if all that the others may still write has all bytes of the update, and its
// first piece has read something old, it stays too late, and nothing that
// counts comes of such a graph G.
//
// Let R be the reads of the update, r the first of them, A the access that it
// reads from, which has all bytes of R too, and x a write that is newer than
// that and was added before r.
//
// 1. No event that is there goes before R does. Nothing comes behind R in any
// prefix, as R only reads and its thread has stopped; so a revisit of a read
// that is older than r deletes r, and so does one that takes x away, since x is
// older than r. For that r must be maximal (revisit.c): it would have to read
// the newest of what was there when it was added, and x is newer than A. So
// nothing that is older than r is ever revisited or deleted, whatever is added
// later. Nor does r itself get another source, for the same reason. What was
// added between two pieces of R is a write w' that has revisited one of them,
// with its prefix, and what makes its access and others whole (schedule.c: the
// rest of R follows at once). That piece holds w', so w' is not maximal, and a
// revisit would delete it, unless w' is in the prefix; then so is all of that.
//
// 2. So each other thread goes on from where it stands now, by whatever way;
// it may take back what it does from now on, and nothing else. What is still
// written is written by the code behind these states
// (bytecode/analysis/writes.c: a thread that has ended writes nothing; of one
// that has stopped at a read nothing is known, nor of code that may create a
// thread, a join before that or not, or that leads back by longjmp). A thread
// that would join that of R waits for ever, and writes less.
//
// 3. No write makes the update whole. A write w that is still to come revisits
// another read r' of R. The access W that has w has the location of r too, and
// piece by piece, from the lowest on, has come to it before w. If it is behind
// A there, R is before W; and r' reads w, so W is before R: the update is torn
// (model/whole.c). If it is before A there, it is before A at the location of
// r', or W and A are torn; so R is before A at r', and A before R at r: torn as
// well, or, if A is of R's own thread, incoherent. (The first contents are
// before all.)
//
// An atomic access that has as many bytes as R, or more, has all of them if it
// has one, for both are aligned; where they need not be (--disable misaligned),
// nothing is left out.
//
// 4. So the thread of R has stopped for good, and nothing counts that comes of
// G. What is wrong in it is found elsewhere: no other thread sees R, so they do
// the same without it, in graphs that are explored, where R reads the newest
// and may be added always. An access of another thread that races with R, and
// is not there yet, does not come before that R either.
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

// What thread u may still write.
static unsigned will_write(struct explorer *x, thread_id u) {
  state_id s = x->g.threads[u].state;
  if (!s)
    return x->g.events[graph_tail(&x->g, u)].kind == EV_END ? WRITES_NOTHING
                                                            : WRITES_ANY;
  return memory_writes(x, u);
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
  if (x->cycles.guesses || x->config.disabled[FIND_MISALIGNED])
    return false;
  event_id first = graph_first_piece(g, graph_tail(g, t));
  uint64_t bytes = bytes_read(x, first);
  check(g->events[first].kind == EV_READ && bytes <= 16);
  return was_old(g, first) && covers(g, g->events[first].rf, first) &&
         others_write(x, t) <= width_of((uint32_t)bytes);
}
