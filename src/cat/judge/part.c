// SPDX-License-Identifier: MIT
// Numbers go thread by thread in program order, so that program order is told
// by comparing numbers, and across threads by what the last beginning or join
// before an event knows.
#include "cat/judge/part.h"

#include "cat/eval/sets.h"
#include "graph/rcu.h"
#include "model/deps.h"

#include <stdlib.h>
#include <string.h>

static bool is_in(const struct cat_event *e, enum cat_base set) {
  return e->sets >> set & 1;
}

static bool is_access_of(const struct cat_event *e) {
  return is_in(e, CAT_R) || is_in(e, CAT_W);
}

static bool sees(const struct event *e, bool has_lives) {
  return cat_sees(e) || (has_lives && cat_is_life(e));
}

// NO_NUMBER: it is not in the part.
static uint32_t number_of(const struct part *p, event_id id) {
  if (id == NO_EVENT || id == INIT_EVENT)
    return NO_NUMBER;
  uint32_t x = p->number[id];
  return x < p->n && p->events[x].id == id ? x : NO_NUMBER;
}

// -- numbers

static void number_initial(struct part *p) {
  const struct graph *g = p->g;
  for (uint32_t l = 0; l < g->locs.len; l++)
    if (g->locs.at[l].threads)
      p->events[p->n++] = (struct cat_event){.sets = cat_initial_sets(),
                                             .thread = g->nthreads + p->n,
                                             .loc = l,
                                             .rf = NO_NUMBER,
                                             .id = INIT_EVENT};
  p->initial = p->n;
}

static void number_thread(struct part *p, unsigned t, struct part_range r,
                          bool has_lives) {
  const struct graph *g = p->g;
  p->first[t] = p->n;
  for (uint32_t i = r.from; i < r.end; i++) {
    event_id id = graph_at(g, t, i);
    const struct event *e = &g->events[id];
    if (!sees(e, has_lives))
      continue;
    p->number[id] = p->n;
    p->has_lives |= cat_is_life(e);
    p->events[p->n++] =
        (struct cat_event){.sets = cat_sets_of(e, p->options),
                           .thread = t,
                           .loc = cat_has_location(e) ? e->loc : NO_NUMBER,
                           .co = is_access(e) ? graph_co_place(g, id) : 0,
                           .rf = NO_NUMBER,
                           .id = id};
  }
  p->end[t] = p->n;
}

static bool find_classes(struct part *p) {
  p->class_of = xmalloc(p->n + 1);
  for (uint32_t x = 0; x < p->n; x++) {
    uint32_t c = 0;
    while (c < p->nclasses && p->class_sets[c] != p->events[x].sets)
      c++;
    if (c == 64)
      return false;
    if (c == p->nclasses)
      p->class_sets[p->nclasses++] = p->events[x].sets;
    p->class_of[x] = (uint8_t)c;
  }
  return true;
}

// -- locations

static int by_location(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static void find_locations(struct part *p) {
  uint64_t *keys = xmalloc((p->n + 1) * sizeof *keys);
  uint32_t n = 0;
  for (uint32_t x = 0; x < p->n; x++)
    if (p->events[x].loc != NO_NUMBER)
      keys[n++] = (uint64_t)p->events[x].loc << 32 | x;
  qsort(keys, n, sizeof *keys, by_location);
  p->same_loc = xmalloc((n + 1) * sizeof *p->same_loc);
  p->loc_first = xcalloc(p->n + 1, sizeof *p->loc_first);
  p->loc_end = xcalloc(p->n + 1, sizeof *p->loc_end);
  for (uint32_t i = 0, end; i < n; i = end) {
    for (end = i; end < n && keys[end] >> 32 == keys[i] >> 32; end++)
      p->same_loc[end] = (uint32_t)keys[end];
    for (uint32_t k = i; k < end; k++) {
      p->loc_first[p->same_loc[k]] = i;
      p->loc_end[p->same_loc[k]] = end;
    }
  }
  free(keys);
}

// -- program order

// What comes before an event that begins or joins a thread: the creation, the
// end.
static uint32_t source_of(const struct part *p, uint32_t x) {
  const struct event *e = &p->g->events[p->events[x].id];
  return e->kind == EV_START || e->kind == EV_JOIN ? number_of(p, e->rf)
                                                   : NO_NUMBER;
}

static bool raise_to(uint32_t *at, uint32_t value) {
  bool is_more = *at < value;
  if (is_more)
    *at = value;
  return is_more;
}

static bool learn(struct part *p, uint32_t s, uint32_t from) {
  bool changed = false;
  for (uint32_t t = 0; t < p->nthreads; t++)
    changed |= raise_to(&p->before[s * p->nthreads + t],
                        p->before[from * p->nthreads + t]);
  return changed;
}

static bool learn_at(struct part *p, uint32_t s) {
  uint32_t x = p->begin[s], source = source_of(p, x);
  unsigned t = p->events[x].thread;
  bool changed = x > p->first[t] && learn(p, s, p->segment[x - 1]);
  if (source == NO_NUMBER)
    return changed;
  changed |= raise_to(&p->before[s * p->nthreads + p->events[source].thread],
                      source + 1);
  return learn(p, s, p->segment[source]) || changed;
}

static void find_segments(struct part *p) {
  p->segment = xmalloc((p->n + 1) * sizeof *p->segment);
  p->begin = xmalloc((p->n + 1) * sizeof *p->begin);
  for (uint32_t x = p->initial; x < p->n; x++) {
    bool is_first = x == p->first[p->events[x].thread];
    if (is_first || source_of(p, x) != NO_NUMBER)
      p->begin[p->nsegments++] = x;
    p->segment[x] = p->nsegments - 1;
  }
  p->before =
      xcalloc((size_t)p->nsegments * p->nthreads + 1, sizeof *p->before);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t s = 0; s < p->nsegments; s++)
      changed |= learn_at(p, s);
  }
}

static bool po_has(const struct part *p, uint32_t x, uint32_t y) {
  if (x < p->initial || y < p->initial)
    return x < p->initial && y >= p->initial;
  unsigned t = p->events[x].thread;
  if (t == p->events[y].thread)
    return x < y;
  return x < p->before[p->segment[y] * p->nthreads + t];
}

static void add_range(uint64_t *row, uint32_t from, uint32_t end) {
  for (; from < end && from % 64; from++)
    bit_add(row, from);
  for (; from + 64 <= end; from += 64)
    row[from / 64] = ~UINT64_C(0);
  for (; from < end; from++)
    bit_add(row, from);
}

static void add_after(const struct part *p, uint32_t x, uint64_t *row) {
  if (x < p->initial) {
    add_range(row, p->initial, p->n);
    return;
  }
  unsigned t = p->events[x].thread;
  add_range(row, x + 1, p->end[t]);
  for (uint32_t s = 0; s < p->nsegments; s++)
    if (x < p->before[s * p->nthreads + t] && !bit_has(row, p->begin[s]))
      add_range(row, p->begin[s], p->end[p->events[p->begin[s]].thread]);
}

static void add_before(const struct part *p, uint32_t y, uint64_t *row) {
  if (y < p->initial)
    return;
  unsigned own = p->events[y].thread;
  const uint32_t *before = p->before + p->segment[y] * p->nthreads;
  add_range(row, 0, p->initial);
  for (unsigned t = 0; t < p->nthreads; t++)
    add_range(row, p->first[t], t == own ? y : before[t]);
}

// -- relations with few pairs

struct pair_list {
  ARRAY(uint32_t) at; // x, y, x, y
};

static void add_pair(struct pair_list *l, uint32_t x, uint32_t y) {
  if (x == NO_NUMBER || y == NO_NUMBER)
    return;
  array_push(&l->at, x);
  array_push(&l->at, y);
}

// The initial write has the lowest number.
static uint32_t initial_of(const struct part *p, uint32_t x) {
  uint32_t y = p->same_loc[p->loc_first[x]];
  return y < p->initial ? y : NO_NUMBER;
}

static void find_update(const struct part *p, enum cat_base b, uint32_t x,
                        struct pair_list *to) {
  event_id read = deps_update_read(p->g, p->events[x].id);
  if (read == NO_EVENT ||
      (b == CAT_amo && (p->options->arm_llsc ||
                        !deps_is_single(&p->g->events[p->events[x].id]))))
    return;
  add_pair(to, number_of(p, read), x);
}

static set_id sources_of(const struct part *p, enum cat_base b,
                         const struct event *e, event_id id) {
  const struct event_deps *d = &p->g->deps[id];
  switch (b) {
  case CAT_addr:
  case CAT_basic_addr:
    return is_access(e) ? d->addr : 0;
  case CAT_data:
  case CAT_basic_data:
    return e->kind == EV_WRITE ? d->data : 0;
  case CAT_casdep:
    return e->kind == EV_READ && (e->flags & EVF_CAS) ? d->data : 0;
  case CAT_ctrl_after:
    return d->after;
  default:
    return d->ctrl;
  }
}

static void find_dependencies(const struct part *p, enum cat_base b, uint32_t x,
                              struct pair_list *to) {
  const struct graph *g = p->g;
  event_id id = p->events[x].id;
  check(g->deps);
  set_id set = sources_of(p, b, &g->events[id], id);
  bool is_basic = b == CAT_basic_addr || b == CAT_basic_data;
  for (uint32_t k = 0; k < set_len(g->sets, set); k++)
    if (!is_basic || !set_is_pick(g->sets, set, k))
      add_pair(to,
               number_of(p, deps_source(g, p->events[x].thread,
                                        set_at(g->sets, set, k))),
               x);
}

static void find_life(const struct part *p, enum cat_base b, uint32_t x,
                      struct pair_list *to) {
  const struct graph *g = p->g;
  uint32_t o = is_access(&g->events[p->events[x].id])
                   ? g->locs.at[p->events[x].loc].object
                   : UINT32_MAX;
  if (o >= g->objects.len)
    return;
  if (b == CAT_born)
    add_pair(to, number_of(p, g->objects.at[o].alloc), x);
  else
    add_pair(to, x, number_of(p, g->objects.at[o].free));
}

// Pieces of an access follow each other.
static void find_pieces(const struct part *p, uint32_t x,
                        struct pair_list *to) {
  event_id first = graph_first_piece(p->g, p->events[x].id);
  for (uint32_t y = p->first[p->events[x].thread];
       y < p->end[p->events[x].thread]; y++)
    if (graph_first_piece(p->g, p->events[y].id) == first)
      add_pair(to, x, y);
}

static void find_pairs_at(const struct part *p, enum cat_base b, uint32_t x,
                          struct pair_list *to) {
  const struct event *e = &p->g->events[p->events[x].id];
  switch (b) {
  case CAT_rf:
    if (e->kind == EV_READ)
      add_pair(to, e->rf == INIT_EVENT ? initial_of(p, x) : number_of(p, e->rf),
               x);
    return;
  case CAT_rmw:
  case CAT_amo:
    find_update(p, b, x, to);
    return;
  case CAT_rcu_rscs:
    add_pair(to, number_of(p, rcu_begin(p->g, p->events[x].id)), x);
    return;
  case CAT_born:
  case CAT_freed:
    find_life(p, b, x, to);
    return;
  case CAT_same:
    find_pieces(p, x, to);
    return;
  default:
    find_dependencies(p, b, x, to);
    return;
  }
}

static void sort_pairs(const struct part *p, const struct pair_list *l,
                       struct part_pairs *to) {
  for (unsigned way = 0; way < 2; way++) {
    uint32_t *first = xcalloc(p->n + 2, sizeof *first);
    uint32_t *at = xmalloc((l->at.len / 2 + 1) * sizeof *at);
    for (uint32_t i = 0; i < l->at.len; i += 2)
      first[l->at.at[i + way] + 2]++;
    for (uint32_t x = 2; x <= p->n; x++)
      first[x] += first[x - 1];
    for (uint32_t i = 0; i < l->at.len; i += 2)
      at[first[l->at.at[i + way] + 1]++] = l->at.at[i + 1 - way];
    to->first[way] = first;
    to->to[way] = at;
  }
}

static const struct part_pairs *pairs_of(struct part *p, enum cat_base b) {
  struct part_pairs *pairs = &p->pairs[b];
  if (pairs->is_known)
    return pairs;
  struct pair_list list = {0};
  for (uint32_t x = 0; x < p->initial && b == CAT_same; x++)
    add_pair(&list, x, x);
  for (uint32_t x = p->initial; x < p->n; x++)
    find_pairs_at(p, b, x, &list);
  sort_pairs(p, &list, pairs);
  pairs->is_known = true;
  array_done(&list.at);
  return pairs;
}

// -- all of them

static bool is_int(const struct part *p, uint32_t x, uint32_t y) {
  return p->events[x].thread == p->events[y].thread;
}

static bool is_same_loc(const struct part *p, uint32_t x, uint32_t y) {
  return p->events[x].loc != NO_NUMBER && p->events[x].loc == p->events[y].loc;
}

static bool co_has(const struct part *p, bool is_fr, uint32_t x, uint32_t y) {
  const struct cat_event *a = &p->events[x], *b = &p->events[y];
  return is_access_of(a) && is_in(b, CAT_W) && is_in(a, CAT_W) != is_fr &&
         a->co < b->co && is_same_loc(p, x, y);
}

bool part_has(struct part *p, enum cat_base b, uint32_t x, uint32_t y) {
  switch (b) {
  case CAT_po:
    return po_has(p, x, y);
  case CAT_co:
  case CAT_fr:
    return co_has(p, b == CAT_fr, x, y);
  case CAT_loc:
    return is_same_loc(p, x, y);
  case CAT_int:
    return is_int(p, x, y);
  case CAT_ext:
    return !is_int(p, x, y);
  case CAT_id:
    return x == y;
  default: {
    const struct part_pairs *l = pairs_of(p, b);
    for (uint32_t i = l->first[0][x]; i < l->first[0][x + 1]; i++)
      if (l->to[0][i] == y)
        return true;
    return false;
  }
  }
}

static void add_threads(const struct part *p, bool is_own, uint32_t x,
                        uint64_t *row) {
  bool is_initial = x < p->initial;
  uint32_t from = is_initial ? x : p->first[p->events[x].thread];
  uint32_t end = is_initial ? x + 1 : p->end[p->events[x].thread];
  if (is_own) {
    add_range(row, from, end);
    return;
  }
  add_range(row, 0, from);
  add_range(row, end, p->n);
}

void part_add_row(struct part *p, enum cat_base b, uint32_t x, bool is_back,
                  uint64_t *row) {
  switch (b) {
  case CAT_po:
    if (is_back)
      add_before(p, x, row);
    else
      add_after(p, x, row);
    return;
  case CAT_co:
  case CAT_fr:
  case CAT_loc:
    for (uint32_t i = p->loc_first[x]; i < p->loc_end[x]; i++) {
      uint32_t y = p->same_loc[i];
      if (part_has(p, b, is_back ? y : x, is_back ? x : y))
        bit_add(row, y);
    }
    return;
  case CAT_int:
  case CAT_ext:
    add_threads(p, b == CAT_int, x, row);
    return;
  case CAT_id:
    bit_add(row, x);
    return;
  default: {
    const struct part_pairs *l = pairs_of(p, b);
    for (uint32_t i = l->first[is_back][x]; i < l->first[is_back][x + 1]; i++)
      bit_add(row, l->to[is_back][i]);
  }
  }
}

// -- the whole

bool part_init(struct part *p, const struct graph *g,
               const struct model_options *options,
               const struct part_range *ranges, bool has_lives) {
  *p = (struct part){.g = g, .options = options, .nthreads = g->nthreads};
  size_t most = ranges ? 0 : g->live + g->locs.len;
  for (unsigned t = 0; ranges && t < g->nthreads; t++)
    most += ranges[t].end > ranges[t].from ? ranges[t].end - ranges[t].from : 0;
  p->events = xmalloc((most + 1) * sizeof *p->events);
  p->number = xcalloc(g->nevents, sizeof *p->number);
  p->first = xcalloc(g->nthreads + 1, sizeof *p->first);
  p->end = xcalloc(g->nthreads + 1, sizeof *p->end);
  if (!ranges)
    number_initial(p);
  for (unsigned t = 0; t < g->nthreads; t++)
    number_thread(p, t,
                  ranges ? ranges[t]
                         : (struct part_range){0, graph_thread_length(g, t)},
                  has_lives);
  p->words = (p->n + 63) / 64;
  find_locations(p);
  find_segments(p);
  return find_classes(p);
}

void part_done(struct part *p) {
  for (unsigned b = 0; b < CAT_BASE; b++)
    for (unsigned way = 0; way < 2; way++) {
      free(p->pairs[b].first[way]);
      free(p->pairs[b].to[way]);
    }
  free(p->events);
  free(p->number);
  free(p->first);
  free(p->end);
  free(p->segment);
  free(p->begin);
  free(p->before);
  free(p->same_loc);
  free(p->loc_first);
  free(p->loc_end);
  free(p->class_of);
}
