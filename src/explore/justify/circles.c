// SPDX-License-Identifier: MIT
// Cycles of po ∪ rf that happens-before forbids, whatever justifies them: asked
// of what threads could do alone (alone.h).
//
// A cycle goes through threads in *steps*: it enters a thread with a read e and
// leaves it with a write w, which the read e' of the next step reads. If it
// enters a thread twice, the earlier read may go on to the later write; so we
// take each thread to be there once. If it leaves two steps at one location,
// the one with the older write may go on to the reader of the newer one, and
// what was between is left out: in the end each location is there once, and e'
// reads w or something newer in co.
//
// Still e' must not happen before w, as it reads w or what is newer. A way from
// w to e' is *closed* if it makes e happen before the write of the next step:
// the step before it releases, the one after it acquires, and e' reads w
// itself, or the location is a chain (chains.c), whose later writes belong to
// the release sequence of w. So two ways of a circle, at least, are open: with
// one of them its reader would happen before its writer.
//
// At chains there are two ways to choose e' and w, and no cycle if either
// yields no circle:
//  - e' is where the cycle enters the thread. It is enough then if some read of
//    the chain between e' and what is written acquires: it does not read
//    anything older.
//  - e' is the last read of the chain before what is written, and w the last
//    write of its thread that is not newer than what e' reads. Then the value
//    must be one that the chain may have while the thread of w is there.
#include "explore/justify/alone_graph.h"

#include <stdlib.h>

enum {
  ACQUIRES = 1, // after the read: what comes now is behind the writer's release
  RELEASES = 2, // and then: what it reads is before what reads the next write
  CLOSED = 4,   // no acquire counts for the read any more
  STATES = 8,
  MOST_PLACES = 64,
  MOST_STEPS = 1500,
  MOST_TRIES = 1000000, // steps that are looked at
  MOST_VISITS = 1000000,
};

struct circle_step {
  thread_id from, to; // of the read and the write: one may create the other
  uint32_t in, out;   // places of their locations
  // What is read; what is written, and of a chain the node behind it. NONE:
  // any.
  uint32_t reads, writes, node;
  unsigned flags;
};

struct circles {
  const struct alone *a;
  uint64_t group;                     // threads that count
  bool takes_last;                    // of the reads and writes of a chain
  ARRAY(const struct chain *) chains; // by place: NULL, it is none
  ARRAY(struct circle_step) steps;    // by place where they begin
  uint32_t first_step[MOST_PLACES + 1];
  uint64_t *readers, *writers; // threads, by cell
  bool has_crossings;      // a step may begin in one thread and end in another
  uint32_t *first, *moves; // by where they begin
  ARRAY(uint32_t) todo;    // scratch of find_steps: node * STATES + flags
  bool *seen;
  uint32_t tries, visits;
  bool is_too_much;
};

static uint32_t loc_at(const struct circles *c, uint32_t place) {
  return c->a->chains.at[place].loc;
}

static uint32_t place_of(const struct circles *c, uint32_t loc) {
  uint32_t i = 0;
  while (loc_at(c, i) != loc)
    i++;
  return i;
}

// ---- steps

static bool is_same(const struct circle_step *s, const struct circle_step *o) {
  return s->from == o->from && s->to == o->to && s->in == o->in &&
         s->out == o->out && s->reads == o->reads && s->writes == o->writes &&
         s->node == o->node;
}

static void add_step(struct circles *c, struct circle_step s) {
  for (uint32_t i = c->first_step[s.in]; i < c->steps.len; i++) {
    const struct circle_step *o = &c->steps.at[i];
    if (is_same(o, &s) && !(o->flags & ~s.flags))
      return; // that can do no less
  }
  if (c->steps.len == MOST_STEPS)
    c->is_too_much = true;
  else
    array_push(&c->steps, s);
}

static unsigned acquire(unsigned flags) {
  return flags & (ACQUIRES | CLOSED) ? flags : (unsigned)ACQUIRES;
}

static bool is_read_of(const struct circles *c, const struct move *m,
                       uint32_t place) {
  return m->kind == MOVE_READ &&
         c->a->cells.at[m->what].loc == loc_at(c, place);
}

static thread_id thread_of(const struct circles *c, uint32_t node) {
  return c->a->nodes.at[node].thread;
}

// What comes of the flags behind a move; `in`: the place of the read.
static unsigned flags_after(const struct circles *c, const struct move *m,
                            uint32_t in, unsigned flags) {
  if (thread_of(c, m->from) != thread_of(c, m->to))
    return (flags & ACQUIRES) | CLOSED;
  if (m->kind == MOVE_READ && c->chains.at[in] && is_read_of(c, m, in))
    return m->is_strong ? acquire(flags) : flags;
  if (m->kind == MOVE_READ || m->kind == MOVE_WRITE)
    return flags;
  if (order_acquires(m->order))
    flags = acquire(flags);
  return order_releases(m->order) ? flags | RELEASES : flags;
}

static void visit(struct circles *c, uint32_t node, unsigned flags) {
  uint32_t at = node * STATES + flags;
  if (c->seen[at])
    return;
  c->seen[at] = true;
  array_push(&c->todo, at);
}

static void leave_thread(struct circles *c, struct circle_step s,
                         const struct move *m) {
  s.to = thread_of(c, m->from);
  s.out = place_of(c, loc_of(c->a, m->what));
  bool is_chain = c->chains.at[s.out];
  if (s.in == s.out || !(c->group >> s.to & 1))
    return;
  c->has_crossings |= s.from != s.to;
  s.writes = is_chain ? NONE : c->a->labels.at[m->what].cell;
  s.node = is_chain && c->takes_last ? m->to : NONE;
  if (m->is_strong)
    s.flags |= RELEASES;
  if (m->order == ORD_NA)
    s.flags &= ~(unsigned)RELEASES;
  s.flags &= ACQUIRES | RELEASES;
  add_step(c, s);
}

// Is it another read of the chain, where the last one counts?
static bool comes_too_early(const struct circles *c,
                            const struct circle_step *s, const struct move *m) {
  return c->takes_last && c->chains.at[s->in] && is_read_of(c, m, s->in) &&
         thread_of(c, m->from) == s->from;
}

static void follow_moves(struct circles *c, struct circle_step s) {
  while (c->todo.len) {
    uint32_t at = c->todo.at[--c->todo.len], node = at / STATES;
    s.flags = at % STATES;
    for (uint32_t i = c->first[node]; i < c->first[node + 1]; i++) {
      const struct move *m = &c->a->moves.at[c->moves[i]];
      c->is_too_much |= ++c->visits > MOST_VISITS;
      if (m->kind == MOVE_WRITE)
        leave_thread(c, s, m);
      if (!c->is_too_much && !comes_too_early(c, &s, m))
        visit(c, m->to, flags_after(c, m, s.in, s.flags));
    }
  }
}

// All that thread t may write after it has read the cell, or, if that is NONE,
// the location.
static void find_steps(struct circles *c, thread_id t, uint32_t in,
                       uint32_t cell) {
  const struct alone *a = c->a;
  c->visits += a->moves.len / 4;
  memset(c->seen, 0, a->nodes.len * STATES);
  for (uint32_t i = 0; i < a->moves.len; i++) {
    const struct move *m = &a->moves.at[i];
    if (is_read_of(c, m, in) && thread_of(c, m->from) == t &&
        (cell == NONE || m->what == cell))
      visit(c, m->to,
            m->order == ORD_NA ? CLOSED
            : m->is_strong     ? ACQUIRES
                               : 0);
  }
  follow_moves(c, (struct circle_step){.from = t, .in = in, .reads = cell});
}

static void find_steps_at(struct circles *c, thread_id t, uint32_t in) {
  const struct alone *a = c->a;
  if (c->chains.at[in] && !c->takes_last) {
    find_steps(c, t, in, NONE);
    return;
  }
  for (uint32_t i = 0; i < a->cells.len; i++)
    if (a->cells.at[i].loc == loc_at(c, in) && (c->readers[i] >> t & 1) &&
        !c->is_too_much)
      find_steps(c, t, in, i);
}

static void find_threads(struct circles *c) {
  const struct alone *a = c->a;
  c->readers = xcalloc(a->cells.len + 1, sizeof *c->readers);
  c->writers = xcalloc(a->cells.len + 1, sizeof *c->writers);
  for (uint32_t i = 0; i < a->moves.len; i++)
    if (a->moves.at[i].kind == MOVE_READ)
      c->readers[a->moves.at[i].what] |= 1ull
                                         << thread_of(c, a->moves.at[i].from);
  for (uint32_t i = 0; i < a->labels.len; i++)
    c->writers[a->labels.at[i].cell] |= 1ull << a->labels.at[i].thread;
}

static void find_all_steps(struct circles *c) {
  const struct alone *a = c->a;
  for (uint32_t i = 0; i < a->chains.len; i++)
    array_push(&c->chains, alone_chain(a, loc_at(c, i)));
  alone_sort_moves(a, &c->first, &c->moves);
  c->seen = xcalloc(a->nodes.len + 1, STATES);
  for (uint32_t i = 0; i < a->chains.len; i++) {
    c->first_step[i] = c->steps.len;
    for (thread_id t = 0; t < MAX_THREADS; t++)
      if (c->group >> t & 1)
        find_steps_at(c, t, i);
    c->first_step[i + 1] = c->steps.len;
  }
  free(c->seen);
  free(c->first);
  free(c->moves);
}

// ---- circles

// May something have been left out between the steps? Then another thread reads
// the write of the first, and another one writes what the second reads.
static bool may_leave_out(const struct circles *c, const struct circle_step *s,
                          const struct circle_step *next) {
  uint64_t others = ~(1ull << s->to | 1ull << next->from);
  return c->has_crossings || ((c->readers[s->writes] & others) &&
                              (c->writers[next->reads] & others));
}

static bool is_open(const struct circles *c, const struct circle_step *s,
                    const struct circle_step *next) {
  return !(s->flags & RELEASES) || !(next->flags & ACQUIRES) ||
         (!c->chains.at[s->out] && may_leave_out(c, s, next));
}

static bool meets(const struct chain *c, uint32_t node, uint32_t cell) {
  for (uint32_t i = 0; i < c->meetings.len; i++)
    if (c->meetings.at[i].node == node && c->meetings.at[i].cell == cell)
      return true;
  return false;
}

static bool follows(const struct circles *c, const struct circle_step *s,
                    const struct circle_step *next) {
  if (s->out != next->in || s->to == next->from)
    return false;
  if (!c->chains.at[s->out])
    return s->writes == next->reads || may_leave_out(c, s, next);
  return s->node == NONE || meets(c->chains.at[s->out], s->node, next->reads);
}

// What is on the way so far.
struct way {
  const struct circle_step *first, *last;
  unsigned open;
  uint64_t places, threads;
};

static struct way go_on(const struct circles *c, struct way w,
                        const struct circle_step *s) {
  w.open += is_open(c, w.last, s);
  w.places |= 1ull << s->in;
  if (s->from == s->to)
    w.threads |= 1ull << s->from;
  w.last = s;
  return w;
}

// May the step be part of it? It begins where the number of the place is least.
static bool may_go_on(const struct circles *c, const struct way *w,
                      const struct circle_step *s) {
  return s->in > w->first->in && !(w->places >> s->in & 1) &&
         !(s->from == s->to && (w->threads >> s->from & 1)) &&
         follows(c, w->last, s);
}

// Can the way be closed to a circle?
static bool closes(struct circles *c, struct way w) {
  uint32_t at = w.last->out;
  if (at == w.first->in)
    return follows(c, w.last, w.first) &&
           w.open + is_open(c, w.last, w.first) >= 2;
  for (uint32_t i = c->first_step[at]; i < c->first_step[at + 1]; i++) {
    const struct circle_step *s = &c->steps.at[i];
    if (++c->tries > MOST_TRIES)
      return true;
    if (may_go_on(c, &w, s) && closes(c, go_on(c, w, s)))
      return true;
  }
  return false;
}

static bool has_circles(const struct alone *a, uint64_t threads,
                        bool takes_last) {
  struct circles c = {.a = a, .group = threads, .takes_last = takes_last};
  c.is_too_much = a->chains.len > MOST_PLACES;
  if (!c.is_too_much) {
    find_threads(&c);
    find_all_steps(&c);
  }
  bool found = c.is_too_much;
  for (uint32_t i = 0; i < c.steps.len && !found; i++) {
    const struct circle_step *s = &c.steps.at[i];
    struct way w = {.first = s, .last = s, .places = 1ull << s->in};
    if (s->from == s->to)
      w.threads = 1ull << s->from;
    found = closes(&c, w);
  }
  free(c.readers);
  free(c.writers);
  array_done(&c.chains);
  array_done(&c.steps);
  array_done(&c.todo);
  return found;
}

bool alone_has_circles(const struct alone *a, uint64_t threads) {
  return has_circles(a, threads, false) && has_circles(a, threads, true);
}
