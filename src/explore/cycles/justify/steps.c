// SPDX-License-Identifier: MIT
// See steps.h.
#include "explore/cycles/justify/steps.h"

#include <stdlib.h>

enum {
  CLOSED = 8, // no acquire counts for the read any more
  STATES = 16,
  MOST_STEPS = 8000,
  MOST_VISITS = 1000000,
};

static uint32_t loc_at(const struct steps *c, uint32_t place) {
  return c->a->chains.at[place].loc;
}

uint32_t steps_place(const struct steps *c, uint32_t loc) {
  uint32_t i = 0;
  while (i < c->a->chains.len && loc_at(c, i) != loc)
    i++;
  check(i < c->a->chains.len);
  return i;
}

// Of two steps that begin with the same read.
static bool ends_alike(const struct step *s, const struct step *o) {
  return s->to == o->to && s->out == o->out && s->writes == o->writes &&
         s->node == o->node;
}

static void add_step(struct steps *c, struct step s) {
  for (uint32_t i = c->newest; i < c->all.len; i++) {
    const struct step *o = &c->all.at[i];
    if (ends_alike(o, &s) && !(o->flags & ~s.flags))
      return; // that can do no less
  }
  if (c->all.len == MOST_STEPS)
    c->is_too_much = true;
  else
    array_push(&c->all, s);
}

static unsigned acquire(unsigned flags) {
  return flags & (ACQUIRES | CLOSED) ? flags : (flags & BOUND) | ACQUIRES;
}

static bool is_read_of(const struct steps *c, const struct move *m,
                       uint32_t place) {
  return m->kind == MOVE_READ &&
         c->a->cells.at[m->what].loc == loc_at(c, place);
}

static thread_id thread_of(const struct steps *c, uint32_t node) {
  return c->a->nodes.at[node].thread;
}

// What comes of the flags behind a move; `in`: the place of the read.
static unsigned flags_after(const struct steps *c, const struct move *m,
                            uint32_t in, unsigned flags) {
  if (m->kind == MOVE_BARRIER)
    flags |= BOUND;
  if (thread_of(c, m->from) != thread_of(c, m->to))
    return (flags & (ACQUIRES | BOUND)) | CLOSED;
  if (m->kind == MOVE_READ && c->chains.at[in] && is_read_of(c, m, in))
    return m->is_strong ? acquire(flags) : flags;
  if (m->kind == MOVE_READ || m->kind == MOVE_WRITE)
    return flags;
  if (order_acquires(m->order))
    flags = acquire(flags);
  return order_releases(m->order) ? flags | RELEASES : flags;
}

static void visit(struct steps *c, uint32_t node, unsigned flags) {
  uint32_t at = node * STATES + flags;
  if (c->seen[at] == c->turn)
    return;
  c->seen[at] = c->turn;
  array_push(&c->todo, at);
}

static void leave_thread(struct steps *c, struct step s, const struct move *m) {
  s.to = thread_of(c, m->from);
  s.out = c->places[m->what];
  bool is_chain = c->chains.at[s.out];
  if ((c->takes_last && s.in == s.out) || !(c->group >> s.to & 1))
    return;
  c->has_crossings |= s.from != s.to;
  s.writes = is_chain ? NONE : c->a->labels.at[m->what].cell;
  s.node = is_chain && c->takes_last ? m->to : NONE;
  if (m->is_strong)
    s.flags |= RELEASES | BOUND;
  if (m->order == ORD_NA)
    s.flags &= ~(unsigned)RELEASES;
  s.flags &= c->takes_last ? ACQUIRES | RELEASES : ACQUIRES | RELEASES | BOUND;
  add_step(c, s);
}

// Is it another read of the chain, where the last one counts?
static bool comes_too_early(const struct steps *c, const struct step *s,
                            const struct move *m) {
  return c->takes_last && c->chains.at[s->in] && is_read_of(c, m, s->in) &&
         thread_of(c, m->from) == s->from;
}

static void follow_moves(struct steps *c, struct step s) {
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

// The thread reads the cell, in all ways.
static void begin_with(struct steps *c, thread_id t, uint32_t cell) {
  for (uint32_t i = c->first_read[cell]; i < c->first_read[cell + 1]; i++) {
    const struct move *m = &c->a->moves.at[c->reads[i]];
    if (thread_of(c, m->from) == t)
      visit(c, m->to,
            m->order == ORD_NA ? CLOSED
            : m->is_strong     ? ACQUIRES | BOUND
                               : 0);
  }
}

// All that thread t may write after it has read the cell, or, if that is NONE,
// the location.
static void find_steps(struct steps *c, thread_id t, uint32_t in,
                       uint32_t cell) {
  c->newest = c->all.len;
  c->turn++;
  if (cell != NONE)
    begin_with(c, t, cell);
  for (uint32_t i = 0; i < c->a->cells.len && cell == NONE; i++)
    if (c->a->cells.at[i].loc == loc_at(c, in))
      begin_with(c, t, i);
  follow_moves(c, (struct step){.from = t, .in = in, .reads = cell});
}

static void find_steps_at(struct steps *c, thread_id t, uint32_t in) {
  const struct over *a = c->a;
  if (c->chains.at[in] && !c->takes_last) {
    find_steps(c, t, in, NONE);
    return;
  }
  for (uint32_t i = 0; i < a->cells.len; i++)
    if (a->cells.at[i].loc == loc_at(c, in) && (c->readers[i] >> t & 1) &&
        !c->is_too_much)
      find_steps(c, t, in, i);
}

// Sorts the moves that read by their cells.
static void sort_reads(struct steps *c) {
  const struct over *a = c->a;
  uint32_t *begin = xcalloc(a->cells.len + 2, sizeof *begin);
  c->reads = xcalloc(a->moves.len + 1, sizeof *c->reads);
  for (uint32_t i = 0; i < a->moves.len; i++)
    if (a->moves.at[i].kind == MOVE_READ)
      begin[a->moves.at[i].what + 2]++;
  for (uint32_t i = 2; i < a->cells.len + 2; i++)
    begin[i] += begin[i - 1];
  for (uint32_t i = 0; i < a->moves.len; i++)
    if (a->moves.at[i].kind == MOVE_READ)
      c->reads[begin[a->moves.at[i].what + 1]++] = i;
  c->first_read = begin;
}

static void find_threads(struct steps *c) {
  const struct over *a = c->a;
  c->readers = xcalloc(a->cells.len + 1, sizeof *c->readers);
  c->writers = xcalloc(a->cells.len + 1, sizeof *c->writers);
  for (uint32_t i = 0; i < a->moves.len; i++)
    if (a->moves.at[i].kind == MOVE_READ)
      c->readers[a->moves.at[i].what] |= 1ull
                                         << thread_of(c, a->moves.at[i].from);
  for (uint32_t i = 0; i < a->labels.len; i++)
    c->writers[a->labels.at[i].cell] |= 1ull << a->labels.at[i].thread;
}

static void find_all(struct steps *c) {
  const struct over *a = c->a;
  for (uint32_t i = 0; i < a->chains.len; i++)
    array_push(&c->chains, over_chain(a, loc_at(c, i)));
  over_sort_moves(a, &c->first, &c->moves);
  sort_reads(c);
  c->places = xcalloc(a->labels.len + 1, sizeof *c->places);
  for (uint32_t i = 0; i < a->labels.len; i++)
    c->places[i] = steps_place(c, loc_of(a, i));
  c->seen = xcalloc((size_t)(a->nodes.len + 1) * STATES, sizeof *c->seen);
  for (uint32_t i = 0; i < a->chains.len; i++) {
    c->first_step[i] = c->all.len;
    for (thread_id t = 0; t < MAX_THREADS; t++)
      if (c->group >> t & 1)
        find_steps_at(c, t, i);
    c->first_step[i + 1] = c->all.len;
  }
  free(c->seen);
  free(c->first);
  free(c->moves);
  free(c->first_read);
  free(c->reads);
  free(c->places);
}

void steps_find(struct steps *c, const struct over *a, uint64_t threads,
                bool takes_last) {
  *c = (struct steps){.a = a, .group = threads, .takes_last = takes_last};
  c->is_too_much = a->chains.len > MOST_PLACES;
  if (c->is_too_much)
    return;
  find_threads(c);
  find_all(c);
}

void steps_done(struct steps *c) {
  free(c->readers);
  free(c->writers);
  array_done(&c->chains);
  array_done(&c->all);
  array_done(&c->todo);
}
