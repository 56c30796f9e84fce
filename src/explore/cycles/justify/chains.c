// SPDX-License-Identifier: MIT
// What may be at a location that only updates write (over.h). Each of them
// reads the one before it in co, so together they are a chain, and its values
// are no more than what comes of letting the threads do their updates one after
// another, in every order; all else that they read may be anything that
// a thread could have written. That is a search over how far each thread is,
// with its updates of this location, and the value. A counter that is taken and
// given back does not grow there, however often that is done.
//
// What main writes before it creates a thread is what the chain begins with,
// however it was written.
//
// Mutexes are chains too. Who unlocks one does not look at it: it may have been
// anything.
#include "explore/cycles/justify/over_graph.h"

#include "base/hash.h"
#include "base/table.h"

#include <stdlib.h>

enum {
  MOST_PARTS = 8,        // threads that update the location
  MOST_STATES = 1 << 16, // of all of them together
  MOST_LINKS = 1 << 16,
};

// One more update, by a thread that was at `from`, a place of it in `points`.
struct link {
  uint32_t before, after; // cells; NONE: any
  uint32_t to;
};

// Behind an update, or at the beginning of a thread.
struct point {
  uint32_t node;
  uint32_t first, end; // its links, when it has them
  bool has_links;
};

struct state_of_all {
  uint32_t at[MOST_PARTS]; // points
  uint32_t cell;
};

struct search {
  const struct over *a;
  uint32_t loc;
  const uint32_t *first, *moves; // the moves by where they begin
  ARRAY(struct point) points;
  ARRAY(struct link) links;
  uint32_t *point_of; // by node; 0: none, else one more than its place
  ARRAY(uint32_t) todo;
  uint32_t *seen, turn; // by node: the last search that met it
  thread_id parts[MOST_PARTS];
  uint32_t nparts;
  ARRAY(struct state_of_all) states;
  struct table table; // of their indices
  uint64_t *alone;    // scratch: where main was, with what, before all others
  bool is_too_much;
};

static uint32_t point_at(struct search *s, uint32_t node) {
  if (!s->point_of[node]) {
    array_push(&s->points, (struct point){.node = node});
    s->point_of[node] = s->points.len;
  }
  return s->point_of[node] - 1;
}

static void add_link(struct search *s, uint32_t before, const struct move *w) {
  uint32_t to = point_at(s, w->to);
  if (s->links.len == MOST_LINKS)
    s->is_too_much = true;
  else
    array_push(&s->links,
               (struct link){before, s->a->labels.at[w->what].cell, to});
}

static bool writes_here(const struct search *s, const struct move *m) {
  return m->kind == MOVE_WRITE && loc_of(s->a, m->what) == s->loc;
}

// The write by which an update goes on behind this read; NULL: it is none.
static const struct move *update_of(const struct search *s,
                                    const struct move *m) {
  const struct over *a = s->a;
  if (m->kind != MOVE_READ || a->cells.at[m->what].loc != s->loc)
    return NULL;
  for (uint32_t i = s->first[m->to]; i < s->first[m->to + 1]; i++) {
    const struct move *w = &a->moves.at[s->moves[i]];
    if (writes_here(s, w) && !w->is_unlock)
      return w;
  }
  return NULL;
}

static void visit(struct search *s, uint32_t node) {
  if (s->seen[node] == s->turn)
    return;
  s->seen[node] = s->turn;
  array_push(&s->todo, node);
}

// The next updates of a thread behind a point.
static void find_links(struct search *s, uint32_t point) {
  const struct over *a = s->a;
  s->turn++;
  s->points.at[point].first = s->links.len;
  visit(s, s->points.at[point].node);
  while (s->todo.len) {
    uint32_t node = s->todo.at[--s->todo.len];
    for (uint32_t i = s->first[node]; i < s->first[node + 1]; i++) {
      const struct move *m = &a->moves.at[s->moves[i]], *w = update_of(s, m);
      if (w)
        add_link(s, m->what, w);
      else if (writes_here(s, m))
        add_link(s, NONE, m);
      else if (a->nodes.at[m->to].thread == a->nodes.at[node].thread)
        visit(s, m->to);
    }
  }
  s->points.at[point].end = s->links.len;
  s->points.at[point].has_links = true;
}

static uint32_t hash_of(const struct search *s, const struct state_of_all *n) {
  uint64_t h = n->cell;
  for (uint32_t i = 0; i < s->nparts; i++)
    h = hash_mix(h, n->at[i]);
  return (uint32_t)h;
}

static bool is_known(const struct search *s, const struct state_of_all *n,
                     uint32_t hash) {
  for (uint32_t at = hash, i;
       (i = table_next(&s->table, hash, &at)) != TABLE_NONE;) {
    const struct state_of_all *o = &s->states.at[i];
    bool is_same = o->cell == n->cell;
    for (uint32_t k = 0; k < s->nparts && is_same; k++)
      is_same = o->at[k] == n->at[k];
    if (is_same)
      return true;
  }
  return false;
}

static void add_state(struct search *s, const struct state_of_all *n) {
  uint32_t hash = hash_of(s, n);
  if (is_known(s, n, hash))
    return;
  if (s->states.len == MOST_STATES) {
    s->is_too_much = true;
    return;
  }
  table_add(&s->table, hash, s->states.len);
  array_push(&s->states, *n);
}

// One more update, of any of the threads.
static void go_on_from(struct search *s, uint32_t nth) {
  for (uint32_t i = 0; i < s->nparts; i++) {
    struct state_of_all n = s->states.at[nth];
    uint32_t point = n.at[i], cell = n.cell;
    if (!s->points.at[point].has_links)
      find_links(s, point);
    for (uint32_t k = s->points.at[point].first; k < s->points.at[point].end;
         k++) {
      const struct link l = s->links.at[k];
      if (l.before != NONE && l.before != cell)
        continue;
      n.at[i] = l.to;
      n.cell = l.after;
      add_state(s, &n);
    }
  }
}

// Each thread may begin in several ways.
static void add_beginnings(struct search *s, uint32_t part,
                           struct state_of_all *n) {
  const struct over *a = s->a;
  if (part == s->nparts) {
    add_state(s, n);
    return;
  }
  for (uint32_t i = 0; i < a->nodes.len; i++)
    if (a->nodes.at[i].is_first && a->nodes.at[i].thread == s->parts[part]) {
      n->at[part] = point_at(s, i);
      add_beginnings(s, part + 1, n);
    }
}

static void find_parts(struct search *s, uint64_t writers) {
  for (; writers; writers &= writers - 1) {
    if (s->nparts == MOST_PARTS) {
      s->is_too_much = true;
      return;
    }
    s->parts[s->nparts++] = (thread_id)__builtin_ctzll(writers);
  }
}

// Lets all values be read that were met, and remembers who met them.
static void tell(struct over *a, const struct search *s, struct chain *c) {
  uint32_t width = (a->cells.len + 63) / 64;
  uint64_t *met = xcalloc((size_t)s->points.len * width, sizeof *met);
  c->meetings.len = 0;
  free(c->first_meeting);
  c->first_meeting = xcalloc(a->nodes.len, sizeof *c->first_meeting);
  for (uint32_t i = 0; i < a->nodes.len; i++)
    c->first_meeting[i] = NONE;
  for (uint32_t i = 0; i < s->states.len; i++)
    for (uint32_t k = 0; k < s->nparts; k++)
      bit_add(met + s->states.at[i].at[k] * width, s->states.at[i].cell);
  for (uint32_t i = 0; i < s->states.len; i++)
    if (!a->cells.at[s->states.at[i].cell].is_too_far)
      let_read(a, s->states.at[i].cell);
  for (uint32_t i = 0; i < s->points.len; i++) {
    c->first_meeting[s->points.at[i].node] = c->meetings.len;
    for (uint32_t l = 0; l < a->cells.len; l++)
      if (bit_has(met + i * width, l))
        array_push(&c->meetings, (struct meeting){s->points.at[i].node, l});
  }
  free(met);
}

// What is there before main writes; NONE: not looked at yet.
static uint32_t first_cell(const struct over *a, uint32_t loc) {
  for (uint32_t i = 0; i < a->cells.len; i++)
    if (a->cells.at[i].loc == loc && a->cells.at[i].is_initial)
      return i;
  return NONE;
}

// Main, which is alone, comes to the node, and that is at the location.
static void visit_alone(struct search *s, uint32_t node, uint32_t cell) {
  const struct over *a = s->a;
  if (!over_is_alone(a, &a->nodes.at[node])) {
    struct state_of_all n = {.cell = cell};
    s->is_too_much |= cell == NONE;
    if (!s->is_too_much)
      add_beginnings(s, 0, &n);
    return;
  }
  uint32_t bit = node * (a->cells.len + 1) + (cell == NONE ? 0 : cell + 1);
  if (bit_has(s->alone, bit))
    return;
  bit_add(s->alone, bit);
  array_push(&s->todo, node);
  array_push(&s->todo, cell);
}

// Lets the threads begin with what is there when main creates the first.
static void begin(struct search *s) {
  const struct over *a = s->a;
  uint32_t bits = a->nodes.len * (a->cells.len + 1);
  s->alone = xcalloc(bits / 64 + 1, sizeof *s->alone);
  visit_alone(s, 0, first_cell(a, s->loc));
  while (s->todo.len) {
    uint32_t cell = s->todo.at[--s->todo.len];
    uint32_t node = s->todo.at[--s->todo.len];
    for (uint32_t i = s->first[node]; i < s->first[node + 1]; i++) {
      const struct move *m = &a->moves.at[s->moves[i]];
      bool sets = m->kind == MOVE_SETS && a->cells.at[m->what].loc == s->loc;
      visit_alone(s, m->to, sets ? m->what : cell);
    }
  }
  free(s->alone);
}

static void search_done(struct search *s) {
  array_done(&s->points);
  array_done(&s->links);
  array_done(&s->todo);
  array_done(&s->states);
  free(s->point_of);
  free(s->seen);
  table_done(&s->table);
}

static void follow(struct over *a, const uint32_t *first, const uint32_t *moves,
                   struct chain *c) {
  struct search s = {.a = a,
                     .loc = c->loc,
                     .first = first,
                     .moves = moves,
                     .point_of = xcalloc(a->nodes.len, sizeof(uint32_t)),
                     .seen = xcalloc(a->nodes.len, sizeof(uint32_t))};
  find_parts(&s, c->writers);
  if (!s.is_too_much)
    begin(&s);
  for (uint32_t i = 0; i < s.states.len && !s.is_too_much; i++)
    go_on_from(&s, i);
  if (s.is_too_much) {
    c->is_too_long = true;
    a->has_moved = true; // then it is a location like others
  } else {
    tell(a, &s, c);
  }
  search_done(&s);
}

// ---- which locations

void over_sort_moves(const struct over *a, uint32_t **first, uint32_t **moves) {
  uint32_t *begin = xcalloc(a->nodes.len + 2, sizeof *begin);
  *moves = xcalloc(a->moves.len + 1, sizeof **moves);
  for (uint32_t i = 0; i < a->moves.len; i++)
    begin[a->moves.at[i].from + 2]++;
  for (uint32_t i = 2; i < a->nodes.len + 2; i++)
    begin[i] += begin[i - 1];
  for (uint32_t i = 0; i < a->moves.len; i++)
    (*moves)[begin[a->moves.at[i].from + 1]++] = i;
  *first = begin;
}

static struct chain *chain_of(struct over *a, uint32_t loc) {
  for (uint32_t i = 0; i < a->chains.len; i++)
    if (a->chains.at[i].loc == loc)
      return &a->chains.at[i];
  array_push(&a->chains, (struct chain){.loc = loc});
  return array_last(&a->chains);
}

void over_find_chains(struct over *a) {
  for (uint32_t i = 0; i < a->labels.len; i++) {
    struct chain *c = chain_of(a, loc_of(a, i));
    c->is_too_long |= a->labels.at[i].is_plain || a->in_order;
    c->writers |= 1ull << a->labels.at[i].thread;
  }
}

const struct chain *over_chain(const struct over *a, uint32_t loc) {
  for (uint32_t i = 0; i < a->chains.len; i++)
    if (a->chains.at[i].loc == loc && !a->chains.at[i].is_too_long)
      return &a->chains.at[i];
  return NULL;
}

void over_follow_chains(struct over *a) {
  uint32_t *first, *moves;
  over_sort_moves(a, &first, &moves);
  for (uint32_t i = 0; i < a->chains.len; i++)
    if (!a->chains.at[i].is_too_long)
      follow(a, first, moves, &a->chains.at[i]);
  free(first);
  free(moves);
}

void over_forget_chains(struct over *a) {
  for (uint32_t i = 0; i < a->chains.len; i++) {
    array_done(&a->chains.at[i].meetings);
    free(a->chains.at[i].first_meeting);
  }
  array_done(&a->chains);
}
