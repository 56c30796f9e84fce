// SPDX-License-Identifier: MIT
// What JAM21 asks of a complete graph beyond what jam21.c asks of one that
// grows: that
//
//   [S];(po ∪ rf [∪ to the last write of a location])+;[S]
//     ∪ push;visible?;late;visible?
//
// has no cycle. If every rf between threads synchronises, po ∪ rf is visible,
// and nothing is left to ask. Otherwise all of it is computed, as sets of
// events in bits: events are numbered as po ∪ rf orders them, an update is one
// number, and the set of an event is made from those of what comes directly
// after it. Then one search in depth looks for a cycle.
#include "model/jam21.h"

#include "base/array.h"
#include "base/bits.h"
#include "model/axioms.h"
#include "model/deps.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

// Sets of events, one per event and kind.
enum row {
  PO,       // after it in po
  RELEASED, // writes behind a release fence after it,
  ACQUIRED, // events behind an acquire fence,
  FENCED,   // actions behind an sc fence
  PUSH,
  VISIBLE, // to whom it is visible
  LATE,    // writes for which it is late, or a thread that sees it is
  FIRST,   // before whom it is by po ∪ rf (and final writes)
  ROWS,
};

// Sets by what events are.
enum kind { WRITES, RELEASES, VOLATILES, ACTIONS, PUSHING, KINDS };

struct pushes {
  const struct graph *g;
  uint32_t n, words;
  uint32_t *number; // by event_id; both halves of an update have the same
  event_id *events; // by number: the event, or the second half of the update
  uint64_t *rows, *kinds, *threads, *behind;
  uint8_t *state; // of the search
};

static uint64_t *row(const struct pushes *p, enum row r, uint32_t i) {
  return p->rows + ((size_t)i * ROWS + r) * p->words;
}

static uint64_t *kind(const struct pushes *p, enum kind k) {
  return p->kinds + (size_t)k * p->words;
}

static void merge(const struct pushes *p, uint64_t *set, const uint64_t *more) {
  for (uint32_t w = 0; w < p->words; w++)
    set[w] |= more[w];
}

static void merge_both(const struct pushes *p, uint64_t *set, const uint64_t *a,
                       const uint64_t *b) {
  for (uint32_t w = 0; w < p->words; w++)
    set[w] |= a[w] & b[w];
}

// The least member from `i` on; NONE if there is none.
static uint32_t next_in(const struct pushes *p, const uint64_t *set,
                        uint32_t i) {
  for (uint32_t w = i / 64; w < p->words; w++) {
    uint64_t rest = set[w] & (w == i / 64 ? ~UINT64_C(0) << i % 64 : ~0ull);
    if (rest)
      return w * 64 + (uint32_t)__builtin_ctzll(rest);
  }
  return NONE;
}

// ---- numbers

static bool is_second_half(const struct event *e) {
  return e->kind == EV_WRITE && (e->flags & EVF_EXCLUSIVE);
}

// What event e needs of other threads: the source of its read, say.
static event_id source_of(const struct event *e) {
  bool has_source =
      e->kind == EV_READ || e->kind == EV_START || e->kind == EV_JOIN;
  return has_source && e->rf != NO_EVENT ? e->rf : INIT_EVENT;
}

static void number_events(struct pushes *p) {
  const struct graph *g = p->g;
  uint32_t at[64] = {0}; // per thread
  for (bool more = true; more;) {
    more = false;
    for (uint32_t t = 0; t < g->nthreads; t++)
      for (; at[t] < graph_thread_length(g, t); at[t]++) {
        event_id id = graph_at(g, t, at[t]);
        const struct event *e = &g->events[id];
        event_id source = source_of(e);
        if (source != INIT_EVENT && p->number[source] == NONE)
          break;
        p->number[id] = is_second_half(e) ? p->n - 1 : p->n++;
        if (is_second_half(e))
          // Nothing was numbered since its first half.
          check(p->number[graph_at(g, t, e->index - 1)] == p->n - 1);
        p->events[p->number[id]] = id;
        more = true;
      }
  }
}

// ---- sets

// The read of number i, or NULL.
static const struct event *read_of(const struct pushes *p, uint32_t i) {
  const struct event *e = &p->g->events[p->events[i]];
  if (is_second_half(e))
    e = &p->g->events[graph_at(p->g, e->thread, e->index - 1)];
  return e->kind == EV_READ ? e : NULL;
}

static void note_kinds(struct pushes *p) {
  const struct graph *g = p->g;
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *e = &g->events[id];
    uint32_t i = p->number[id];
    bit_add(p->threads + (size_t)e->thread * p->words, i);
    if (e->kind == EV_WRITE)
      bit_add(kind(p, WRITES), i);
    if (e->kind == EV_WRITE && order_releases(e->order))
      bit_add(kind(p, RELEASES), i);
    if (e->order == ORD_SC)
      bit_add(kind(p, VOLATILES), i);
    if (is_access(e) || (e->kind == EV_FENCE && e->order != ORD_NA))
      bit_add(kind(p, ACTIONS), i);
  }
}

// Number i is directly before number j in po.
static void add_po(struct pushes *p, uint32_t i, uint32_t j) {
  const struct event *e = &p->g->events[p->events[j]];
  bit_add(row(p, PO, i), j);
  for (unsigned r = PO; r <= FENCED; r++)
    merge(p, row(p, (enum row)r, i), row(p, (enum row)r, j));
  bit_add(row(p, FIRST, i), j);
  merge(p, row(p, FIRST, i), row(p, FIRST, j));
  if (e->kind != EV_FENCE)
    return;
  if (order_releases(e->order))
    merge_both(p, row(p, RELEASED, i), row(p, PO, j), kind(p, WRITES));
  if (order_acquires(e->order))
    merge(p, row(p, ACQUIRED, i), row(p, PO, j));
  if (e->order == ORD_SC)
    merge_both(p, row(p, FENCED, i), row(p, PO, j), kind(p, ACTIONS));
}

// co after the place of an access, of which `own` may be the next write.
static void add_later_writes(const struct pushes *p, uint64_t *set,
                             uint32_t loc, uint32_t place, uint32_t own) {
  const struct event_list *co = &p->g->locs.at[loc].co;
  for (uint32_t i = place + 1; i < co->len; i++)
    if (p->number[co->at[i]] != own)
      bit_add(set, p->number[co->at[i]]);
}

// Number i sees or reads what number j, which comes after it, makes of it.
static void add_visible(struct pushes *p, uint32_t i, const uint64_t *to) {
  for (uint32_t j = next_in(p, to, 0); j != NONE; j = next_in(p, to, j + 1))
    if (!bit_has(row(p, VISIBLE, i), j)) {
      bit_add(row(p, VISIBLE, i), j);
      merge(p, row(p, VISIBLE, i), row(p, VISIBLE, j));
      merge(p, row(p, LATE, i), row(p, LATE, j));
    }
}

static void add_readers(struct pushes *p, uint32_t i, uint64_t *into) {
  const struct graph *g = p->g;
  event_id id = p->events[i];
  const struct event_list *reads = &g->locs.at[g->events[id].loc].reads;
  for (uint32_t k = 0; k < reads->len; k++)
    if (g->events[reads->at[k]].rf == id) {
      uint32_t j = p->number[reads->at[k]];
      bit_add(into, j);
      bit_add(row(p, FIRST, i), j);
      merge(p, row(p, FIRST, i), row(p, FIRST, j));
    }
}

// What number i is late for, by itself or by a later write of its thread.
static void add_late(struct pushes *p, uint32_t i) {
  const struct graph *g = p->g;
  const struct event *e = &g->events[p->events[i]], *r = read_of(p, i);
  uint64_t *later = p->behind + (size_t)e->thread * p->words;
  merge(p, row(p, LATE, i), later);
  if (e->kind == EV_WRITE) {
    add_later_writes(p, row(p, LATE, i), e->loc, e->co, i);
    add_later_writes(p, later, e->loc, e->co, i);
  } else if (r) {
    add_later_writes(p, row(p, LATE, i), r->loc, g->events[r->rf].co, i);
  }
}

static void fill_row(struct pushes *p, uint32_t i, uint64_t *into) {
  const struct graph *g = p->g;
  const struct event *e = &g->events[p->events[i]], *r = read_of(p, i);
  memset(into, 0, p->words * sizeof *into);
  if (e->index + 1 < graph_thread_length(g, e->thread))
    add_po(p, i, p->number[graph_at(g, e->thread, e->index + 1)]);
  if (e->kind == EV_SPAWN && graph_thread_length(g, e->loc))
    add_po(p, i, p->number[graph_at(g, e->loc, 0)]);
  if (e->kind == EV_END && g->threads[e->thread].join != NO_EVENT)
    add_po(p, i, p->number[g->threads[e->thread].join]);
  const uint64_t *po = row(p, PO, i);
  if (bit_has(kind(p, ACTIONS), i))
    merge(p, row(p, PUSH, i), row(p, FENCED, i));
  if (bit_has(kind(p, VOLATILES), i))
    merge_both(p, row(p, PUSH, i), po, kind(p, VOLATILES));
  if (next_in(p, row(p, PUSH, i), 0) != NONE)
    bit_add(kind(p, PUSHING), i);
  merge(p, into, row(p, PUSH, i));
  merge(p, into, row(p, RELEASED, i));
  merge_both(p, into, po, kind(p, RELEASES));
  if (r)
    merge(p, into, row(p, ACQUIRED, i));
  if (r && order_acquires(r->order))
    merge(p, into, po);
  const uint64_t *mine = p->threads + (size_t)e->thread * p->words;
  for (uint32_t w = 0; w < p->words; w++)
    into[w] |= po[w] & ~mine[w];
  if (e->kind == EV_WRITE)
    add_readers(p, i, into);
  add_late(p, i);
  add_visible(p, i, into);
}

// Every write but the last of its location comes before that one. This is the
// only part that po ∪ rf does not order.
static void add_final_writes(struct pushes *p) {
  const struct graph *g = p->g;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < p->n; i++) {
      uint64_t *first = row(p, FIRST, i);
      for (uint32_t j = 0; j < p->n; j++) {
        const struct event *w = &g->events[p->events[j]];
        if (w->kind != EV_WRITE || (i != j && !bit_has(first, j)))
          continue;
        const struct event_list *co = &g->locs.at[w->loc].co;
        uint32_t last = p->number[co->at[co->len - 1]];
        if (last == j || bit_has(first, last))
          continue;
        bit_add(first, last);
        merge(p, first, row(p, FIRST, last));
        more = true;
      }
    }
  }
}

// ---- cycles

// The nodes are the events that push, as what is to be ordered (i) and writes,
// as what others are late for (n + i).
static void successors(const struct pushes *p, uint32_t node, uint64_t *events,
                       uint64_t *writes) {
  memset(events, 0, 2 * p->words * sizeof *events);
  if (node >= p->n) {
    uint32_t i = node - p->n;
    merge_both(p, events, row(p, VISIBLE, i), kind(p, PUSHING));
    if (bit_has(kind(p, PUSHING), i))
      bit_add(events, i);
    return;
  }
  const uint64_t *push = row(p, PUSH, node);
  merge_both(p, events, row(p, FIRST, node), kind(p, PUSHING));
  for (uint32_t j = next_in(p, push, 0); j != NONE; j = next_in(p, push, j + 1))
    merge(p, writes, row(p, LATE, j));
}

enum { NEW, OPEN, CLOSED };

static bool finds_cycle(struct pushes *p, uint32_t node, uint64_t *sets) {
  uint64_t *mine = sets;
  p->state[node] = OPEN;
  successors(p, node, mine, mine + p->words);
  for (uint32_t half = 0; half < 2; half++) {
    const uint64_t *to = mine + (size_t)half * p->words;
    for (uint32_t j = next_in(p, to, 0); j != NONE; j = next_in(p, to, j + 1)) {
      uint32_t next = half * p->n + j;
      if (p->state[next] == OPEN ||
          (p->state[next] == NEW &&
           finds_cycle(p, next, sets + (size_t)2 * p->words)))
        return true;
    }
  }
  p->state[node] = CLOSED;
  return false;
}

static bool has_cycle(struct pushes *p) {
  uint64_t *sets = xcalloc((size_t)(2 * p->n + 1) * 2 * p->words, sizeof *sets);
  const uint64_t *pushing = kind(p, PUSHING);
  bool found = false;
  for (uint32_t i = next_in(p, pushing, 0); i != NONE && !found;
       i = next_in(p, pushing, i + 1))
    found = p->state[i] == NEW && finds_cycle(p, i, sets);
  free(sets);
  return found;
}

static bool is_ordered(const struct graph *g,
                       const struct model_options *options) {
  struct pushes p = {.g = g, .words = (g->live + 63) / 64};
  p.number = xcalloc(g->nevents, sizeof *p.number);
  memset(p.number, 0xff, g->nevents * sizeof *p.number);
  p.events = xcalloc(g->live, sizeof *p.events);
  number_events(&p);
  p.rows = xcalloc((size_t)p.n * ROWS * p.words, sizeof *p.rows);
  p.kinds = xcalloc((size_t)KINDS * p.words, sizeof *p.kinds);
  p.threads = xcalloc((size_t)g->nthreads * 2 * p.words, sizeof *p.threads);
  p.behind = p.threads + (size_t)g->nthreads * p.words;
  p.state = xcalloc(2 * (size_t)p.n, 1);
  uint64_t *into = xcalloc(p.words, sizeof *into);
  note_kinds(&p);
  for (uint32_t i = p.n; i-- > 0;)
    fill_row(&p, i, into);
  if (options->final_writes)
    add_final_writes(&p);
  bool ok = !has_cycle(&p);
  free(into);
  free(p.state);
  free(p.threads);
  free(p.kinds);
  free(p.rows);
  free(p.events);
  free(p.number);
  return ok;
}

static bool has_doubts(const struct graph *g) {
  for (event_id e = g->last; e != INIT_EVENT; e = g->events[e].prev)
    if (g->events[e].flags & EVF_DOUBT)
      return true;
  return false;
}

bool jam21_allows_complete(struct graph *g,
                           const struct model_options *options) {
  if (g->sc_events < (g->sc_fences ? 1u : 2u))
    return true; // nothing pushes
  return !(options->final_writes || has_doubts(g)) || is_ordered(g, options);
}
