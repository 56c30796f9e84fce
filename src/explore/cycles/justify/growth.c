// SPDX-License-Identifier: MIT
// How far values can get in the graph of what threads could do alone (over.h).
// A counter that is read and written back grows without end there. But along a
// path of po ∪ rf of an execution there are not more writes of a location than
// the threads can do together. So for each node and each cell there is a lower
// bound, the *depth*: so many writes of each location are on some path of
// po ∪ rf that leads there, whatever the execution is. (To come to a node, one
// way is enough, the least one for each location; but all that was read on this
// way has to be there.) A cell that is deeper than the writes of an execution
// cannot be read.
//
// What is guessed is given by an execution that was seen, and a core comes from
// that: values have to get through two executions, unless those that were seen
// are known to begin with.
#include "explore/cycles/justify/over_graph.h"

#include <stdlib.h>

enum { ROUNDS_OF_CHAINS = 4 };

uint32_t over_place(struct over *a, uint32_t loc) {
  uint32_t i = 0;
  while (i < a->places.len && a->places.at[i] != loc)
    i++;
  if (i == a->places.len && i < PLACES - 1)
    array_push(&a->places, loc);
  return i < PLACES - 1 ? i : PLACES - 1;
}

static uint8_t more(uint8_t n) {
  return n < MOST_WRITES ? (uint8_t)(n + 1) : ENDLESS;
}

// Raises `t` to at least `other`; lowers it to at most that. Has it changed?
static bool raise(struct tally *t, const struct tally *other) {
  uint8_t changed = 0;
  for (unsigned i = 0; i < PLACES; i++) {
    uint8_t n = t->at[i] > other->at[i] ? t->at[i] : other->at[i];
    changed |= n ^ t->at[i];
    t->at[i] = n;
  }
  return changed;
}

static bool lower(struct tally *t, const struct tally *other) {
  uint8_t changed = 0;
  for (unsigned i = 0; i < PLACES; i++) {
    uint8_t n = t->at[i] < other->at[i] ? t->at[i] : other->at[i];
    changed |= n ^ t->at[i];
    t->at[i] = n;
  }
  return changed;
}

// Moves are looked at again and again until nothing changes: in the first round
// all of them, then those of nodes and cells that have changed since they were
// looked at last.
struct rounds {
  uint32_t now, last;          // the last one in which something has changed
  uint32_t *of_node, *of_cell; // the same for each
};

static void rounds_begin(const struct over *a, struct rounds *r) {
  *r =
      (struct rounds){.of_node = xcalloc(a->nodes.len + 1, sizeof *r->of_node),
                      .of_cell = xcalloc(a->cells.len + 1, sizeof *r->of_cell)};
}

static void rounds_end(struct rounds *r) {
  free(r->of_node);
  free(r->of_cell);
}

// Is it worth another round?
static bool next_round(struct over *a, struct rounds *r) {
  a->work += a->moves.len;
  a->is_too_much |= a->work > MOST_WORK;
  return r->last == r->now++ && !a->is_too_much;
}

static bool is_fresh(const struct rounds *r, uint32_t round) {
  return round + 1 >= r->now;
}

static void note(struct rounds *r, uint32_t *of, bool has_changed) {
  if (has_changed)
    *of = r->last = r->now;
}

// Counts what threads can still write.
static void count_writes(struct over *a) {
  struct rounds r;
  rounds_begin(a, &r);
  while (next_round(a, &r))
    for (uint32_t i = a->moves.len; i-- > 0;) {
      const struct move *m = &a->moves.at[i];
      if (!is_fresh(&r, r.of_node[m->to]) ||
          a->nodes.at[m->from].thread != a->nodes.at[m->to].thread)
        continue;
      struct tally n = a->nodes.at[m->to].writes;
      if (m->kind == MOVE_WRITE) {
        uint8_t *at = &n.at[a->labels.at[m->what].place];
        *at = more(*at);
      }
      note(&r, &r.of_node[m->from], raise(&a->nodes.at[m->from].writes, &n));
    }
  rounds_end(&r);
}

// So many writes can an execution have.
static struct tally most_writes(struct over *a) {
  struct tally of_thread[MAX_THREADS] = {0}, sum = {0};
  count_writes(a);
  for (uint32_t i = 0; i < a->nodes.len; i++)
    raise(&of_thread[a->nodes.at[i].thread], &a->nodes.at[i].writes);
  for (thread_id t = 0; t < MAX_THREADS; t++)
    for (unsigned i = 0; i < PLACES; i++) {
      unsigned n = sum.at[i] + of_thread[t].at[i];
      sum.at[i] = n < ENDLESS ? (uint8_t)n : ENDLESS;
    }
  return sum;
}

// UINT32_MAX: any number.
static uint32_t sum_of_writes(struct over *a) {
  struct tally n = most_writes(a);
  uint32_t sum = 0;
  for (unsigned i = 0; i < PLACES; i++) {
    if (n.at[i] == ENDLESS)
      return UINT32_MAX;
    sum += n.at[i];
  }
  return sum;
}

void over_let_grow_thin(struct over *a) {
  bool is_new = a->visible < a->known.len;
  a->visible = a->known.len;
  a->has_moved = is_new && a->rounds++ <= sum_of_writes(a);
}

static void find_depths(struct over *a) {
  struct rounds r;
  rounds_begin(a, &r);
  while (next_round(a, &r))
    for (uint32_t i = 0; i < a->moves.len; i++) {
      const struct move *m = &a->moves.at[i];
      if (!is_fresh(&r, r.of_node[m->from]) &&
          !(m->kind == MOVE_READ && is_fresh(&r, r.of_cell[m->what])))
        continue;
      struct tally n = a->nodes.at[m->from].depth;
      if (m->kind == MOVE_READ)
        raise(&n, &a->cells.at[m->what].depth);
      if (m->kind == MOVE_WRITE) {
        uint8_t *at = &n.at[a->labels.at[m->what].place];
        *at = *at < ENDLESS ? (uint8_t)(*at + 1) : ENDLESS;
        uint32_t cell = a->labels.at[m->what].cell;
        note(&r, &r.of_cell[cell], lower(&a->cells.at[cell].depth, &n));
      }
      note(&r, &r.of_node[m->to], lower(&a->nodes.at[m->to].depth, &n));
    }
  rounds_end(&r);
}

static bool is_possible(const struct over *a, const struct tally *depth,
                        const struct tally *most) {
  for (unsigned i = 0; i < PLACES; i++)
    if (most->at[i] < ENDLESS && depth->at[i] > a->generations * most->at[i])
      return false;
  return true;
}

// Values of a chain (chains.c) are few as a rule, and this is not asked at
// first. But what one chain holds may come from another one, and go back there.
static void look_at_chains(struct over *a) {
  if (++a->rounds <= ROUNDS_OF_CHAINS)
    return;
  find_depths(a);
  a->most = most_writes(a);
  for (uint32_t i = 0; i < a->cells.len; i++)
    a->cells.at[i].is_too_far =
        !is_possible(a, &a->cells.at[i].depth, &a->most);
}

static bool is_unread(const struct over *a, uint32_t cell) {
  return !a->cells.at[cell].is_readable &&
         !over_chain(a, a->cells.at[cell].loc);
}

// Lets all cells be read that may be there with so many writes.
static void let_read_possible(struct over *a) {
  for (uint32_t i = 0; i < a->cells.len; i++)
    if (is_unread(a, i) && is_possible(a, &a->cells.at[i].depth, &a->most))
      let_read(a, i);
}

static bool has_unread(const struct over *a) {
  for (uint32_t i = 0; i < a->cells.len; i++)
    if (is_unread(a, i))
      return true;
  return false;
}

// What is known comes first: threads can do more and more, so the writes that
// were counted last are there in any case.
// (If the threads have an order, values do not go round.)
void over_let_grow(struct over *a) {
  over_find_chains(a);
  if (a->in_order) {
    for (uint32_t i = 0; i < a->cells.len; i++)
      let_read(a, i);
    return;
  }
  if (has_unread(a)) {
    find_depths(a);
    let_read_possible(a);
  }
  if (!a->has_moved && has_unread(a)) {
    a->most = most_writes(a);
    let_read_possible(a);
  }
  if (!a->has_moved) {
    look_at_chains(a);
    over_follow_chains(a);
  }
}
