// SPDX-License-Identifier: MIT
// Is there an order of the writes (co) with which a model allows the graph, and
// which one? For --equivalence rf, where po and rf make an execution.
//
// What a model asks of co is that some relations have no cycle, each a part
// that does not depend on co and edges that every pair of co and fr adds:
//
//   location  hb|loc ∪ rf            ∪ co ∪ fr      coherence, in all models
//   memory    po ∪ rf, or ppo ∪ rfe  ∪ co ∪ fr      sc; tso and pso
//   sc        psc without co and fr  ∪ from L to R  rc11, for each edge x -> y
//             of co or fr: L is x, if it is sc, and the sc fences that happen
//             before x; R the same of y and what happens after it. Between
//             fences eco counts, so y may also be followed by rf.
//
// (hb;eco? is irreflexive iff `location` has no cycle: a write has a place in
// co, a read that of its source; edges of hb never lead to a lower place if no
// two events contradict each other, the others to a higher one.) So these are
// kept as closed bit matrices while co is decided one pair of writes at a time.
// A pair that can only go one way, since the other closes a cycle at once, is
// *forced*, and so is what atomicity asks: nothing comes between an update and
// its source. When nothing is forced any more, what is left is completed in the
// order that the graph has; if that fails, one pair after the other is tried
// both ways. So an answer is exact. It may take long: with `memory`, to decide
// whether there is a co is NP-hard [Gibbons, Korach, SIAM J. Comput. 1997];
// without it and without sc events nothing has ever to be taken back.
#include "model/axioms_rel.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

enum { LOCATION, MEMORY, SC, DECIDED, MATRICES };

struct search {
  const struct model *m;
  struct graph *g;
  uint32_t n, words;
  event_id *events; // by number in the matrices
  uint32_t *number; // by event_id
  uint32_t *locs;   // where writes are to be ordered
  uint32_t nlocs;
  bool has_memory, has_sc;
  uint64_t *rows;                  // of all matrices, one after the other
  uint64_t *left, *right, *fences; // L and R per event, the sc fences
};

// ---- matrices

static uint64_t *row(const struct search *s, unsigned matrix, uint32_t x) {
  return s->rows + ((size_t)matrix * s->n + x) * s->words;
}

static bool meets(const struct search *s, const uint64_t *a,
                  const uint64_t *b) {
  for (uint32_t i = 0; i < s->words; i++)
    if (a[i] & b[i])
      return true;
  return false;
}

// Adds x -> y to a matrix and closes it again. False: there is a cycle.
static bool add(struct search *s, unsigned matrix, uint32_t x, uint32_t y) {
  uint64_t *to = row(s, matrix, y);
  if (x == y || bit_has(to, x))
    return false;
  if (bit_has(row(s, matrix, x), y))
    return true;
  for (uint32_t i = 0; i < s->n; i++) {
    uint64_t *from = row(s, matrix, i);
    if (i != x && !bit_has(from, x))
      continue;
    for (uint32_t k = 0; k < s->words; k++)
      from[k] |= to[k];
    bit_add(from, y);
  }
  return true;
}

// Word k of a set, of which `only` counts unless it is NULL.
static uint64_t word(const uint64_t *set, const uint64_t *only, uint32_t k) {
  return set[k] & (only ? only[k] : UINT64_MAX);
}

static bool add_to_all(struct search *s, uint32_t x, const uint64_t *to,
                       const uint64_t *only) {
  for (uint32_t k = 0; k < s->words; k++)
    for (uint64_t rest = word(to, only, k); rest; rest &= rest - 1)
      if (!add(s, SC, x, 64 * k + (uint32_t)__builtin_ctzll(rest)))
        return false;
  return true;
}

// Adds all pairs of two sets to psc.
static bool add_all(struct search *s, const uint64_t *from, const uint64_t *to,
                    const uint64_t *only) {
  for (uint32_t k = 0; k < s->words; k++)
    for (uint64_t rest = word(from, only, k); rest; rest &= rest - 1)
      if (!add_to_all(s, 64 * k + (uint32_t)__builtin_ctzll(rest), to, only))
        return false;
  return true;
}

// Does psc lead from y to something in `from`, or is y in it?
static bool leads_to(const struct search *s, uint32_t y, const uint64_t *from,
                     const uint64_t *only) {
  const uint64_t *after = row(s, SC, y);
  for (uint32_t k = 0; k < s->words; k++) {
    uint64_t self = y / 64 == k ? UINT64_C(1) << y % 64 : 0;
    if (word(from, only, k) & (after[k] | self))
      return true;
  }
  return false;
}

// Would a pair of the two sets close a cycle of psc?
static bool leads_back(const struct search *s, const uint64_t *from,
                       const uint64_t *to, const uint64_t *only) {
  for (uint32_t k = 0; k < s->words; k++)
    for (uint64_t rest = word(to, only, k); rest; rest &= rest - 1)
      if (leads_to(s, 64 * k + (uint32_t)__builtin_ctzll(rest), from, only))
        return true;
  return false;
}

static const uint64_t *left_of(const struct search *s, uint32_t x) {
  return s->left + (size_t)x * s->words;
}

static const uint64_t *right_of(const struct search *s, uint32_t x) {
  return s->right + (size_t)x * s->words;
}

// ---- pairs of writes

static const struct event_list *co_of(const struct search *s, uint32_t loc) {
  return &s->g->locs.at[loc].co;
}

// The write of the update that a read begins; NO_EVENT if there is none yet.
static event_id write_of(const struct graph *g, event_id read) {
  const struct event *r = &g->events[read];
  if (!(r->flags & EVF_EXCLUSIVE) ||
      r->index + 1 >= graph_thread_length(g, r->thread))
    return NO_EVENT;
  return graph_at(g, r->thread, r->index + 1);
}

// The write of the update whose source is `write`.
static event_id taker_of(const struct search *s, uint32_t loc, event_id write) {
  const struct event_list *reads = &s->g->locs.at[loc].reads;
  event_id found = NO_EVENT;
  for (uint32_t i = 0; found == NO_EVENT && i < reads->len; i++)
    if (s->g->events[reads->at[i]].rf == write)
      found = write_of(s->g, reads->at[i]);
  return found;
}

// The write that an update must follow directly; NO_EVENT: it is no update.
static event_id source_of(const struct search *s, event_id write) {
  const struct event *w = &s->g->events[write];
  if (!(w->flags & EVF_EXCLUSIVE))
    return NO_EVENT;
  return s->g->events[graph_at(s->g, w->thread, w->index - 1)].rf;
}

static bool is_decided(const struct search *s, event_id w, event_id v) {
  return w == INIT_EVENT ||
         bit_has(row(s, DECIDED, s->number[w]), s->number[v]);
}

// An edge of co or fr: does it close a cycle? If not, and it is to be added, it
// is. `v` is what y is, for the readers that follow it.
static bool try_edge(struct search *s, uint32_t x, event_id v, bool adds) {
  uint32_t y = s->number[v];
  if (!adds &&
      (bit_has(row(s, LOCATION, y), x) ||
       (s->has_memory && bit_has(row(s, MEMORY, y), x)) ||
       (s->has_sc && leads_back(s, left_of(s, x), right_of(s, y), NULL))))
    return false;
  if (adds &&
      (!add(s, LOCATION, x, y) || (s->has_memory && !add(s, MEMORY, x, y)) ||
       (s->has_sc && !add_all(s, left_of(s, x), right_of(s, y), NULL))))
    return false;
  if (!s->has_sc || !meets(s, left_of(s, x), s->fences))
    return true;
  const struct event_list *reads = &s->g->locs.at[s->g->events[v].loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const uint64_t *to = right_of(s, s->number[reads->at[i]]);
    if (s->g->events[reads->at[i]].rf != v)
      continue;
    if (adds ? !add_all(s, left_of(s, x), to, s->fences)
             : leads_back(s, left_of(s, x), to, s->fences))
      return false;
  }
  return true;
}

// All edges that come of `w` being before `v`.
static bool try_edges(struct search *s, event_id w, event_id v, bool adds) {
  const struct event_list *reads = &s->g->locs.at[s->g->events[v].loc].reads;
  if (w != INIT_EVENT && !try_edge(s, s->number[w], v, adds))
    return false;
  for (uint32_t i = 0; i < reads->len; i++)
    if (s->g->events[reads->at[i]].rf == w &&
        !try_edge(s, s->number[reads->at[i]], v, adds))
      return false;
  return true;
}

// From now on w is before v. False: that cannot be.
static bool decide(struct search *s, event_id w, event_id v) {
  if (v == INIT_EVENT || (w != INIT_EVENT && is_decided(s, v, w)))
    return false;
  if (w != INIT_EVENT) {
    if (is_decided(s, w, v))
      return true;
    bit_add(row(s, DECIDED, s->number[w]), s->number[v]);
  }
  if (!try_edges(s, w, v, /*adds=*/true))
    return false;
  // Who is before an update is before its source. (So who is after the source
  // is after the update: that pair can only go one way then.)
  event_id source = source_of(s, v);
  return source == NO_EVENT || source == w || w == INIT_EVENT ||
         decide(s, w, source);
}

static bool is_open(const struct search *s, event_id w, event_id v) {
  return !is_decided(s, w, v) && !is_decided(s, v, w);
}

// Decides what can only go one way. False: something can go neither way.
static bool saturate(struct search *s) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < s->nlocs; i++) {
      const struct event_list *co = co_of(s, s->locs[i]);
      for (uint32_t a = 1; a < co->len; a++)
        for (uint32_t b = a + 1; b < co->len; b++) {
          event_id w = co->at[a], v = co->at[b];
          if (!is_open(s, w, v))
            continue;
          bool may_follow = try_edges(s, w, v, /*adds=*/false);
          if (may_follow && try_edges(s, v, w, /*adds=*/false))
            continue;
          if (may_follow ? !decide(s, w, v) : !decide(s, v, w))
            return false;
          more = true;
        }
    }
  }
  return true;
}

// ---- the search

static size_t size_of_rows(const struct search *s) {
  return (size_t)MATRICES * s->n * s->words * sizeof *s->rows;
}

static uint64_t *save(const struct search *s) {
  uint64_t *copy = xcalloc(1, size_of_rows(s) + 1);
  memcpy(copy, s->rows, size_of_rows(s));
  return copy;
}

static void restore(struct search *s, const uint64_t *copy) {
  memcpy(s->rows, copy, size_of_rows(s));
}

// The first write, in the order of the graph, that is not yet `placed` and has
// nothing else before it.
static event_id first_left(const struct search *s, const struct event_list *co,
                           const bool *placed) {
  for (uint32_t a = 1; a < co->len; a++) {
    bool is_first = !placed[a];
    for (uint32_t b = 1; is_first && b < co->len; b++)
      is_first = placed[b] || b == a ||
                 !bit_has(row(s, LOCATION, s->number[co->at[b]]),
                          s->number[co->at[a]]);
    if (is_first)
      return co->at[a];
  }
  return NO_EVENT;
}

// Orders all writes of a location, as the graph has them where that is open.
static bool order_location(struct search *s, uint32_t loc) {
  const struct event_list *co = co_of(s, loc);
  bool *placed = xcalloc(co->len, sizeof *placed);
  event_id next = taker_of(s, loc, INIT_EVENT);
  bool ok = true;
  for (uint32_t left = co->len - 1; ok && left; left--) {
    if (next == NO_EVENT)
      next = first_left(s, co, placed);
    ok = next != NO_EVENT && !placed[s->g->events[next].co];
    if (!ok)
      break;
    placed[s->g->events[next].co] = true;
    for (uint32_t b = 1; ok && b < co->len; b++)
      ok = placed[b] || decide(s, next, co->at[b]);
    next = taker_of(s, loc, next);
  }
  free(placed);
  return ok;
}

static bool find_open(const struct search *s, event_id *w, event_id *v) {
  for (uint32_t i = 0; i < s->nlocs; i++) {
    const struct event_list *co = co_of(s, s->locs[i]);
    for (uint32_t a = 1; a < co->len; a++)
      for (uint32_t b = a + 1; b < co->len; b++)
        if (is_open(s, co->at[a], co->at[b])) {
          *w = co->at[a];
          *v = co->at[b];
          return true;
        }
  }
  return false;
}

// Decides all that is open. False: there is no way.
static bool complete(struct search *s) {
  if (!saturate(s))
    return false;
  event_id w, v;
  if (!find_open(s, &w, &v))
    return true;
  uint64_t *copy = save(s);
  bool ok = true;
  for (uint32_t i = 0; ok && i < s->nlocs; i++)
    ok = order_location(s, s->locs[i]);
  if (!ok) {
    restore(s, copy);
    ok = decide(s, w, v) && complete(s);
  }
  if (!ok) {
    restore(s, copy);
    ok = decide(s, v, w) && complete(s);
  }
  free(copy);
  return ok;
}

// Gives the graph the co that was found.
static void apply(struct search *s) {
  for (uint32_t i = 0; i < s->nlocs; i++) {
    const struct event_list *co = co_of(s, s->locs[i]);
    for (uint32_t place = 1; place < co->len; place++)
      for (uint32_t b = place; b < co->len; b++) {
        event_id w = co->at[b];
        bool is_next = true;
        for (uint32_t c = place; is_next && c < co->len; c++)
          is_next = c == b || is_decided(s, w, co->at[c]);
        if (!is_next)
          continue;
        if (b != place)
          graph_move_in_co(s->g, w, place);
        break;
      }
  }
}

// ---- what does not depend on co

static void number_events(struct search *s, uint32_t only) {
  const struct graph *g = s->g;
  s->events = xcalloc(g->live + 1, sizeof *s->events);
  s->number = xcalloc(g->nevents, sizeof *s->number);
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next) {
    const struct event *x = &g->events[e];
    if (only != UINT32_MAX && (!is_access(x) || x->loc != only))
      continue;
    s->number[e] = s->n;
    s->events[s->n++] = e;
  }
  s->words = (s->n + 63) / 64;
  s->rows = xcalloc(1, size_of_rows(s) + 1);
}

static bool start_location(struct search *s) {
  const struct graph *g = s->g;
  for (uint32_t x = 0; x < s->n; x++) {
    const struct event *e = &g->events[s->events[x]];
    if (!is_access(e))
      continue;
    const struct graph_loc *l = &g->locs.at[e->loc];
    if (e->kind == EV_READ && e->rf != INIT_EVENT &&
        !add(s, LOCATION, s->number[e->rf], x))
      return false;
    for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
      // What happens before the newest access does so with all of them.
      const struct event_list *list = &l->by_thread[__builtin_ctzll(rest)];
      for (uint32_t i = list->len; i-- > 0;) {
        if (list->at[i] == s->events[x] ||
            !graph_hb(g, list->at[i], s->events[x]))
          continue;
        if (!add(s, LOCATION, s->number[list->at[i]], x))
          return false;
        break;
      }
    }
  }
  return true;
}

static bool start_from(struct search *s, unsigned matrix,
                       const struct model_options *options) {
  const struct model *text =
      model_definition(s->m, options, /*is_complete=*/true);
  struct rels rels;
  rels_init(&rels, s->n);
  struct rel *base = rel_new(&rels);
  text->add_order(text, s->g, options, s->number, base);
  struct rel *closed = rel_plus(&rels, base);
  check(closed->words == s->words || !s->n);
  memcpy(row(s, matrix, 0), closed->bits,
         (size_t)s->n * s->words * sizeof *s->rows);
  bool ok = rel_is_irreflexive(closed);
  rels_done(&rels);
  return ok;
}

static void find_ends(struct search *s) {
  const struct graph *g = s->g;
  size_t size = (size_t)s->n * s->words;
  s->left = xcalloc(size + 1, sizeof *s->left);
  s->right = xcalloc(size + 1, sizeof *s->right);
  s->fences = xcalloc(s->words + 1, sizeof *s->fences);
  for (uint32_t x = 0; x < s->n; x++) {
    const struct event *e = &g->events[s->events[x]];
    uint64_t *left = s->left + (size_t)x * s->words;
    uint64_t *right = s->right + (size_t)x * s->words;
    if (e->order == ORD_SC) {
      bit_add(left, x);
      bit_add(right, x);
    }
    if (is_sc_fence(e))
      bit_add(s->fences, x);
    for (uint32_t f = 0; is_access(e) && f < s->n; f++) {
      if (!is_sc_fence(&g->events[s->events[f]]))
        continue;
      if (graph_hb(g, s->events[f], s->events[x]))
        bit_add(left, f);
      if (graph_hb(g, s->events[x], s->events[f]))
        bit_add(right, f);
    }
  }
}

static bool start_all(struct search *s, const struct model_options *options) {
  bool ok = start_from(s, s->has_memory ? MEMORY : SC, options);
  if (s->has_sc)
    find_ends(s);
  return ok;
}

// Does the model ask for more than coherence?
static bool asks_for_more(const struct model *m, const struct graph *g) {
  return m->orders_memory || (m->orders_sc && g->sc_events > 1);
}

// What decides about graphs without cycles of po ∪ rf, which are all that is
// asked about here.
static const struct model *without_cycles(const struct model *m) {
  return m->justifier ? model_find("rc11") : m;
}

// With `only_location`, of coherence alone. False: the graph is not allowed.
static bool start(struct search *s, const struct model *m, struct graph *g,
                  const struct model_options *options, uint32_t loc,
                  bool only_location) {
  bool has_more = !only_location && asks_for_more(m, g);
  *s = (struct search){.m = without_cycles(m),
                       .g = g,
                       .has_memory = has_more && m->orders_memory,
                       .has_sc = has_more && m->orders_sc};
  // Coherence asks for nothing but one location.
  bool is_all = has_more || loc == UINT32_MAX;
  number_events(s, is_all ? UINT32_MAX : loc);
  s->locs = xcalloc(g->locs.len + 1, sizeof *s->locs);
  for (uint32_t l = 0; l < g->locs.len; l++)
    if ((is_all || l == loc) && g->locs.at[l].co.len > 1)
      s->locs[s->nlocs++] = l;
  if (((s->has_memory || s->has_sc) && !start_all(s, options)) ||
      !start_location(s))
    return false;
  for (uint32_t i = 0; i < s->nlocs; i++)
    for (uint32_t a = 1; a < co_of(s, s->locs[i])->len; a++)
      if (!decide(s, INIT_EVENT, co_of(s, s->locs[i])->at[a]))
        return false;
  return true;
}

static void done(struct search *s) {
  free(s->events);
  free(s->number);
  free(s->locs);
  free(s->rows);
  free(s->left);
  free(s->right);
  free(s->fences);
}

static bool find_co(const struct model *m, struct graph *g,
                    const struct model_options *options, uint32_t loc,
                    bool only_location) {
  struct search s;
  bool ok = start(&s, m, g, options, loc, only_location) && complete(&s);
  if (ok && !only_location)
    apply(&s);
  done(&s);
  return ok;
}

// Most graphs that are refused are so for the sake of one location, and that is
// soon known.
bool model_find_co(const struct model *m, struct graph *g,
                   const struct model_options *options, uint32_t loc) {
  if (loc != UINT32_MAX && asks_for_more(m, g) &&
      !find_co(m, g, options, loc, /*only_location=*/true))
    return false;
  return find_co(m, g, options, loc, /*only_location=*/false);
}

// How many ways are there to decide all that is open? `most` are enough.
static uint64_t count_ways(struct search *s, uint64_t most) {
  event_id w, v;
  if (!most || !saturate(s))
    return 0;
  if (!find_open(s, &w, &v))
    return 1;
  uint64_t *copy = save(s);
  uint64_t n = decide(s, w, v) ? count_ways(s, most) : 0;
  restore(s, copy);
  n += decide(s, v, w) ? count_ways(s, most - n) : 0;
  free(copy);
  return n;
}

uint64_t model_count_co(const struct model *m, struct graph *g,
                        const struct model_options *options, uint64_t most) {
  struct search s;
  bool ok = start(&s, m, g, options, UINT32_MAX, /*only_location=*/false);
  uint64_t n = ok ? count_ways(&s, most) : 0;
  done(&s);
  return n;
}

// ---- all ways in which locations may end

struct ends {
  const uint32_t *locs;
  uint32_t n;
  bool (*look)(void *arg);
  void *arg;
};

static bool look_at(struct search *s) {
  uint64_t *copy = save(s);
  bool ok = complete(s);
  if (ok)
    apply(s);
  restore(s, copy);
  free(copy);
  return ok;
}

// Tries all last writes of the nth location and of those after it. True: stop.
static bool try_ends(struct search *s, const struct ends *ends, uint32_t nth) {
  if (nth == ends->n) {
    struct graph_mark mark = graph_mark(s->g);
    bool stops = look_at(s) && ends->look(ends->arg);
    if (!stops)
      graph_undo_to(s->g, mark);
    return stops;
  }
  const struct event_list *co = co_of(s, ends->locs[nth]);
  uint32_t len = co->len;
  if (len < 3)
    return try_ends(s, ends, nth + 1);
  uint64_t *copy = save(s);
  bool stops = false;
  for (uint32_t a = 1; !stops && a < len; a++) {
    bool ok = true;
    for (uint32_t b = 1; ok && b < len; b++)
      ok = a == b || decide(s, co->at[b], co->at[a]);
    stops = ok && saturate(s) && try_ends(s, ends, nth + 1);
    restore(s, copy);
  }
  free(copy);
  return stops;
}

bool model_each_end(const struct model *m, struct graph *g,
                    const struct model_options *options, const uint32_t *locs,
                    uint32_t n, bool (*look)(void *arg), void *arg) {
  struct search s;
  struct ends ends = {locs, n, look, arg};
  bool stops = start(&s, m, g, options, UINT32_MAX, /*only_location=*/false) &&
               saturate(&s) && try_ends(&s, &ends, 0);
  done(&s);
  return stops;
}
