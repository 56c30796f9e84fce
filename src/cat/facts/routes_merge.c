// SPDX-License-Identifier: MIT
// From the automaton that terms spell to the one that is walked: without
// guards, since these are decided for each class of events, without states
// that lead nowhere, and with one state for those that have the same future.
#include "base/bits.h"
#include "cat/facts/routes_build.h"

#include <string.h>

enum { MOST_GROUPS = ROUTE_STATES + 1 };

struct reducer {
  struct builder *b;
  uint32_t n;      // raw states
  uint32_t nkinds; // of classes that no guard tells apart: edges have these
  uint8_t kind[ROUTE_CLASSES];
  uint32_t *first;      // by raw state: its edges, in b->edges, which is sorted
  uint32_t *kept;       // by raw state: NO_NUMBER, or its number
  ARRAY(uint32_t) raw;  // by number
  ARRAY(uint32_t) todo; // raw states
  uint64_t *at;         // by raw state
};

// By where they come from, and as they were among those of one state.
static void sort_edges(struct reducer *r) {
  struct builder *b = r->b;
  struct edge *to = xmalloc((b->edges.len + 1) * sizeof *to);
  uint32_t *first = r->first + 1; // of the state before: it moves on
  for (uint32_t i = 0; i < b->edges.len; i++)
    first[b->edges.at[i].from + 1]++;
  for (uint32_t s = 0; s < r->n; s++)
    first[s + 1] += first[s];
  for (uint32_t i = 0; i < b->edges.len; i++)
    to[first[b->edges.at[i].from]++] = b->edges.at[i];
  if (b->edges.len)
    memcpy(b->edges.at, to, b->edges.len * sizeof *to);
  free(to);
}

// Puts classes that are in the same guards into one kind, and lets edges say
// kinds.
static void find_kinds(struct reducer *r) {
  uint64_t kinds[ROUTE_CLASSES] = {all_classes(r->b)};
  r->nkinds = 1;
  for (uint32_t i = 0; i < r->b->edges.len; i++) {
    uint64_t classes = r->b->edges.at[i].classes;
    for (uint32_t k = 0; k < r->nkinds; k++) {
      uint64_t others = kinds[k] & ~classes;
      if (!others || others == kinds[k])
        continue;
      kinds[k] &= classes;
      kinds[r->nkinds++] = others;
    }
  }
  for (uint32_t k = 0; k < r->nkinds; k++)
    for (uint64_t left = kinds[k]; left; left &= left - 1)
      r->kind[__builtin_ctzll(left)] = (uint8_t)k;
  for (uint32_t i = 0; i < r->b->edges.len; i++) {
    uint64_t classes = r->b->edges.at[i].classes, found = 0;
    for (uint32_t k = 0; k < r->nkinds; k++)
      found |= (uint64_t)((kinds[k] & classes) != 0) << k;
    r->b->edges.at[i].classes = found;
  }
}

// Fills r->todo with what a raw state leads to without a step, and r->at with
// the kinds of events at which it does. A state comes again if there are more
// of these.
static void close(struct reducer *r, uint32_t state) {
  r->todo.len = 0;
  array_push(&r->todo, state);
  r->at[state] = ~UINT64_C(0) >> (64 - r->nkinds);
  for (uint32_t i = 0; i < r->todo.len; i++) {
    uint32_t s = r->todo.at[i];
    for (uint32_t k = r->first[s]; k < r->first[s + 1]; k++) {
      const struct edge *e = &r->b->edges.at[k];
      uint64_t more = r->at[s] & e->classes & ~r->at[e->to];
      if (e->label != NO_NUMBER || !more)
        continue;
      r->at[e->to] |= more;
      array_push(&r->todo, e->to);
    }
  }
}

static void keep(struct reducer *r, uint32_t state) {
  if (r->kept[state] != NO_NUMBER)
    return;
  r->kept[state] = r->raw.len;
  array_push(&r->raw, state);
}

// Which word of the row of its class, for all classes in turn.
struct move_word {
  uint32_t at;
  uint64_t bits;
};

// By kind of class and kept state: does it end there, and by label where it
// leads.
struct moves {
  uint32_t nkinds, n, nlabels, words;
  bool *ends;
  uint64_t *to;
  // What of it is not empty, by state: few.at[first[s]] and so on.
  uint32_t *first;
  ARRAY(struct move_word) few;
};

static uint64_t *to_at(const struct moves *t, uint32_t c, uint32_t s,
                       uint32_t label) {
  return t->to + (((size_t)c * t->n + s) * t->nlabels + label) * t->words;
}

// What state s has by the edges of a raw state, at events of some classes.
static void add_moves(const struct reducer *r, struct moves *t, uint32_t s,
                      uint32_t raw, uint64_t classes) {
  for (uint32_t k = r->first[raw]; k < r->first[raw + 1]; k++) {
    const struct edge *e = &r->b->edges.at[k];
    if (e->label == NO_NUMBER)
      continue;
    for (uint64_t left = classes; left; left &= left - 1)
      bit_add(to_at(t, (uint32_t)__builtin_ctzll(left), s, e->label),
              r->kept[e->to]);
  }
}

static void fill_table(struct reducer *r, struct moves *t, uint32_t end) {
  for (uint32_t s = 0; s < t->n; s++) {
    close(r, r->raw.at[s]);
    for (uint64_t left = r->at[end]; left; left &= left - 1)
      t->ends[(uint32_t)__builtin_ctzll(left) * t->n + s] = true;
    for (uint32_t i = 0; i < r->todo.len; i++) {
      uint32_t raw = r->todo.at[i];
      add_moves(r, t, s, raw, r->at[raw]);
      r->at[raw] = 0;
    }
  }
}

static void find_few(struct moves *t) {
  uint32_t row = t->nlabels * t->words;
  for (uint32_t s = 0; s < t->n; s++) {
    t->first[s] = t->few.len;
    for (uint32_t c = 0; c < t->nkinds; c++) {
      const uint64_t *to = to_at(t, c, s, 0);
      for (uint32_t i = 0; i < row; i++)
        if (to[i])
          array_push(&t->few, (struct move_word){c * row + i, to[i]});
    }
  }
  t->first[t->n] = t->few.len;
}

// States that lead to an end at all.
static void find_live(const struct moves *t, uint64_t *live) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t s = 0; s < t->n; s++) {
      bool is = bit_has(live, s);
      if (is)
        continue;
      for (uint32_t c = 0; !is && c < t->nkinds; c++)
        is = t->ends[c * t->n + s];
      for (uint32_t i = t->first[s]; !is && i < t->first[s + 1]; i++)
        is = t->few.at[i].bits & live[t->few.at[i].at % t->words];
      more |= is;
      if (is)
        bit_add(live, s);
    }
  }
}

// What a state leads to, as some words of `pool`: in which classes it ends, and
// where in a row there is which group.
struct future {
  uint32_t first, n;
  uint64_t hash;
};

typedef ARRAY(uint64_t) future_pool;

enum { GROUP_WORDS = MOST_GROUPS / 64 + 1 };

static void put(struct future *f, future_pool *pool, uint64_t word) {
  array_push(pool, word);
  f->n++;
  f->hash = (f->hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  f->hash ^= f->hash >> 29;
}

static void put_row(struct future *f, future_pool *pool, uint32_t at,
                    const uint64_t *groups) {
  for (uint32_t w = 0; w < GROUP_WORDS; w++)
    for (uint64_t left = groups[w]; left; left &= left - 1)
      put(f, pool,
          (uint64_t)at << 32 | (w * 64 + (uint32_t)__builtin_ctzll(left)));
}

static struct future find_future(const void *of, const uint32_t *group,
                                 uint32_t s, future_pool *pool) {
  const struct moves *t = of;
  struct future f = {.first = pool->len};
  uint64_t ends = 0, groups[GROUP_WORDS] = {0};
  uint32_t at = 0;
  for (uint32_t c = 0; c < t->nkinds; c++)
    ends |= (uint64_t)t->ends[c * t->n + s] << c;
  put(&f, pool, ends);
  for (uint32_t i = t->first[s]; i < t->first[s + 1]; i++) {
    const struct move_word *w = &t->few.at[i];
    uint32_t word = w->at % t->words;
    if (w->at - word != at) {
      put_row(&f, pool, at, groups);
      memset(groups, 0, sizeof groups);
      at = w->at - word;
    }
    for (uint64_t left = w->bits; left; left &= left - 1) {
      uint32_t u = word * 64 + (uint32_t)__builtin_ctzll(left);
      if (group[u])
        bit_add(groups, group[u] - 1);
    }
  }
  put_row(&f, pool, at, groups);
  return f;
}

static bool are_same(const future_pool *pool, const struct future *a,
                     const struct future *b) {
  return a->hash == b->hash && a->n == b->n &&
         (!a->n || // the pool may be empty
          memcmp(pool->at + a->first, pool->at + b->first,
                 a->n * sizeof *pool->at) == 0);
}

// The futures of states, as far as groups tell.
struct futures {
  struct future *at;
  future_pool pool;
  uint32_t *table, mask; // by hash: a state, or NO_NUMBER
};

// The first state with the same group and future, which may be s itself.
static uint32_t find_first(struct futures *f, const uint32_t *group,
                           uint32_t s) {
  uint32_t i = (uint32_t)(f->at[s].hash ^ group[s]) & f->mask;
  for (; f->table[i] != NO_NUMBER; i = (i + 1) & f->mask) {
    uint32_t u = f->table[i];
    if (group[u] == group[s] && are_same(&f->pool, &f->at[u], &f->at[s]))
      return u;
  }
  return f->table[i] = s;
}

typedef struct future find_future_fn(const void *of, const uint32_t *group,
                                     uint32_t s, future_pool *pool);

// Splits groups until all states of one have the same future; group 0 stays.
// `ngroups`: how many there are, with that one. Yields how many there are then,
// or some number above `most`: there are never less than before.
static uint32_t refine(uint32_t n, uint32_t *group, uint32_t ngroups,
                       uint32_t most, find_future_fn *find, const void *of) {
  struct futures f = {.mask = 1};
  while (f.mask < 2 * n)
    f.mask = f.mask << 1 | 1;
  f.at = xcalloc(n, sizeof *f.at);
  f.table = xmalloc((f.mask + 1) * sizeof *f.table);
  uint32_t *next = xcalloc(n, sizeof *next);
  uint32_t *size = xmalloc((n + 2) * sizeof *size);
  for (bool more = true; more && ngroups <= most;) {
    uint32_t found = 1;
    f.pool.len = 0;
    memset(size, 0, (n + 2) * sizeof *size);
    memset(f.table, 0xff, (f.mask + 1) * sizeof *f.table);
    for (uint32_t s = 0; s < n; s++)
      size[group[s]]++;
    for (uint32_t s = 0; s < n; s++) {
      uint32_t first = s;
      next[s] = 0;
      if (!group[s])
        continue;
      if (size[group[s]] > 1) {
        f.at[s] = find(of, group, s, &f.pool);
        first = find_first(&f, group, s);
      }
      next[s] = first == s ? found++ : next[first];
    }
    more = found != ngroups;
    ngroups = found;
    memcpy(group, next, n * sizeof *group);
  }
  free(f.at);
  free(f.table);
  array_done(&f.pool);
  free(next);
  free(size);
  return ngroups;
}

// Puts states with the same future into groups; group 0 has none. Yields as
// refine().
static uint32_t find_groups(const struct moves *t, uint32_t *group) {
  uint64_t *live = xcalloc(t->words, sizeof *live);
  find_live(t, live);
  for (uint32_t s = 0; s < t->n; s++)
    group[s] = bit_has(live, s);
  free(live);
  return refine(t->n, group, 2, MOST_GROUPS, find_future, t);
}

// By its edges, as they are spelled.
static struct future find_raw_future(const void *of, const uint32_t *group,
                                     uint32_t s, future_pool *pool) {
  const struct reducer *r = of;
  struct future f = {.first = pool->len};
  for (uint32_t k = r->first[s]; k < r->first[s + 1]; k++) {
    const struct edge *e = &r->b->edges.at[k];
    put(&f, pool, (uint64_t)e->label << 32 | group[e->to]);
    put(&f, pool, e->classes);
  }
  return f;
}

// Terms are spelled as often as they are used: what goes on in the same way is
// one state, so that less is left for find_groups.
static void merge_raw(struct reducer *r, uint32_t *begin, uint32_t *end) {
  uint32_t *group = xmalloc((r->n + 1) * sizeof *group);
  uint32_t *of = xmalloc((r->n + 2) * sizeof *of);
  for (uint32_t s = 0; s < r->n; s++)
    group[s] = s == *end ? 2 : 1;
  (void)refine(r->n, group, 3, NO_NUMBER, find_raw_future, r);
  for (uint32_t s = r->n; s-- > 0;)
    of[group[s]] = s;
  for (uint32_t i = 0; i < r->b->edges.len; i++)
    r->b->edges.at[i].to = of[group[r->b->edges.at[i].to]];
  *begin = of[group[*begin]];
  *end = of[group[*end]];
  free(group);
  free(of);
}

// Does the step lead anywhere from an event in these sets?
static bool may_lead(const struct route_label *l, cat_sets sets) {
  switch (l->base) {
  case CAT_rf:
  case CAT_co:
    return sets & CAT_IN(W);
  case CAT_fr:
    return sets & CAT_IN(R);
  case CAT_rmw:
    return sets & (l->is_back ? CAT_IN(W) : CAT_IN(R));
  case CAT_addr:
  case CAT_data:
  case CAT_ctrl:
  case CAT_ctrl_after: // from a store-conditional, too
    return sets & (CAT_IN(R) | CAT_IN(EXCLUSIVE));
  default:
    return true;
  }
}

static route_set groups_of(const uint64_t *states, uint32_t words,
                           const uint32_t *group) {
  route_set found = 0;
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t left = states[w]; left; left &= left - 1) {
      uint32_t g = group[w * 64 + (uint32_t)__builtin_ctzll(left)];
      if (g)
        found |= route_state(g - 1);
    }
  return found;
}

static void write_routes(const struct reducer *of, struct routes *r,
                         const struct moves *t, const uint32_t *group,
                         uint32_t ngroups) {
  r->nstates = ngroups - 1;
  r->inner = 0;
  for (uint32_t c = 0; c < of->b->nclasses; c++) {
    uint32_t kind = of->kind[c];
    r->ends[c] = r->live[c] = 0;
    for (uint32_t q = 1; q < ngroups; q++) {
      uint32_t s = 0;
      while (group[s] != q)
        s++;
      array_push(&r->first, r->moves.len);
      if (t->ends[kind * t->n + s])
        r->ends[c] |= route_state(q - 1);
      for (uint32_t l = 0; l < t->nlabels; l++) {
        struct route_move m = {l, 0};
        if (!may_lead(&r->labels[l], of->b->classes[c]))
          continue;
        m.to = groups_of(to_at(t, kind, s, l), t->words, group);
        if (!m.to)
          continue;
        array_push(&r->moves, m);
        r->live[c] |= route_state(q - 1);
        r->inner |= m.to;
      }
    }
  }
  array_push(&r->first, r->moves.len);
}

bool routes_reduce(struct builder *b, uint32_t begin, uint32_t end) {
  struct reducer r = {.b = b, .n = b->nstates};
  struct routes *to = b->routes;
  r.first = xcalloc(r.n + 2, sizeof *r.first);
  r.kept = xmalloc((r.n + 1) * sizeof *r.kept);
  r.at = xcalloc(r.n + 1, sizeof *r.at);
  sort_edges(&r);
  find_kinds(&r);
  merge_raw(&r, &begin, &end);
  for (uint32_t s = 0; s < r.n; s++)
    r.kept[s] = NO_NUMBER;
  keep(&r, begin);
  for (uint32_t i = 0; i < b->edges.len; i++)
    if (b->edges.at[i].label != NO_NUMBER)
      keep(&r, b->edges.at[i].to);
  struct moves t = {.nkinds = r.nkinds,
                    .n = r.raw.len,
                    .nlabels = to->nlabels,
                    .words = r.raw.len / 64 + 1};
  t.ends = xcalloc((size_t)t.nkinds * t.n, sizeof *t.ends);
  t.to =
      xcalloc((size_t)t.nkinds * t.n * t.nlabels * t.words + 1, sizeof *t.to);
  t.first = xcalloc(t.n + 1, sizeof *t.first);
  fill_table(&r, &t, end);
  find_few(&t);
  uint32_t *group = xcalloc(t.n, sizeof *group);
  uint32_t ngroups = find_groups(&t, group);
  bool ok = ngroups <= MOST_GROUPS;
  b->ngroups = ngroups - 1;
  to->begins = ok && group[0] ? route_state(group[0] - 1) : 0;
  if (ok)
    write_routes(&r, to, &t, group, ngroups);
  free(group);
  free(t.ends);
  free(t.first);
  array_done(&t.few);
  free(t.to);
  free(r.first);
  free(r.kept);
  free(r.at);
  array_done(&r.raw);
  array_done(&r.todo);
  return ok;
}
