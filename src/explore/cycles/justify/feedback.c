// SPDX-License-Identifier: MIT
// Which values could come back to who read them (over.h): questions about the
// graph of what threads could do alone. over.c says what is asked, and why.
#include "explore/cycles/justify/over_graph.h"

#include <stdlib.h>

// ---- what orders accesses in models that guess their cores
//
// On a cycle of po ∪ rf, each thread is entered by a read and left by a write.
// If the model proves an order of these two, and both are atomic, rf between
// atomic accesses of two threads is part of that order as well, which has no
// cycle (cat/loads.c: cat_cycle_orders). So on each cycle some write is not
// ordered behind the read, and it is enough to guess what such writes write.
// What is between may be in another thread, which was created or joined.

static bool guesses_cores(const struct over *a) {
  return a->x->config.model->guesses_cores;
}

static bool proves(const struct over *a, enum load_order o) {
  return a->x->config.model->cycle_orders & o;
}

static bool is_plain(enum order o) {
  return o == ORD_NA;
}

// Leaves of each move what the model proves.
static void keep_orders(struct over *a) {
  for (uint32_t i = 0; i < a->moves.len; i++) {
    struct move *m = &a->moves.at[i];
    enum load_order by = m->kind == MOVE_READ    ? ORDER_ACQUIRE
                         : m->kind == MOVE_WRITE ? ORDER_RELEASE
                         : m->order == ORD_NA    ? ORDER_THREAD
                                                 : ORDER_FENCE;
    m->is_strong = m->is_strong && proves(a, by);
    if (m->kind == MOVE_BARRIER && !proves(a, by))
      m->kind = MOVE;
  }
  for (uint32_t l = 0; l < a->labels.len; l++)
    if (is_plain((enum order)a->labels.at[l].order))
      bit_add(a->loose, l);
}

// ---- what leads to what

// Adds to `set` what of another one no order concerns.
static bool add_loose(const struct over *a, uint64_t *set,
                      const uint64_t *other) {
  uint64_t some[WORDS];
  for (unsigned i = 0; i < WORDS; i++)
    some[i] = other[i] & a->loose[i];
  return add_set(a, set, some);
}

static void find_later(struct over *a) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = a->moves.len; i-- > 0;) {
      const struct move *m = &a->moves.at[i];
      struct node *n = &a->nodes.at[m->from];
      const struct node *to = &a->nodes.at[m->to];
      uint64_t own[WORDS] = {0};
      if (m->kind == MOVE_WRITE)
        bit_add(own, m->what);
      if (m->kind == MOVE_READ)
        bit_add(n->reads, m->what);
      for (unsigned k = 0; k < CELL_WORDS; k++) {
        more |= to->reads[k] & ~n->reads[k];
        n->reads[k] |= to->reads[k];
      }
      more |= add_set(a, n->later, to->later);
      more |= add_set(a, n->later, own);
      more |= m->kind != MOVE_BARRIER ? add_set(a, n->free, to->free)
                                      : add_loose(a, n->free, to->free);
      more |= m->kind != MOVE_WRITE || m->is_strong ? add_loose(a, n->free, own)
                                                    : add_set(a, n->free, own);
    }
  }
}

bool over_is_of_guess(const struct over *a, const struct move *m,
                      const struct guess *g) {
  const struct cell *c = &a->cells.at[m->what];
  return m->kind == MOVE_READ && m->order == g->order &&
         a->nodes.at[m->from].thread == g->reader && c->loc == g->loc &&
         c->value == g->value;
}

static bool is_allowed(const struct over *a, const struct guesses *g,
                       const struct move *m) {
  for (uint32_t i = 0; i < g->len; i++)
    if (g->at[i].allowed && over_is_of_guess(a, m, &g->at[i]))
      return true;
  return false;
}

// Who reads a label of another thread may go on to other labels. Some reads may
// be left out.
static void find_reach(const struct over *a, const struct guesses *without,
                       uint64_t reach[MOST_LABELS][WORDS]) {
  for (uint32_t i = 0; i < a->moves.len; i++) {
    const struct move *m = &a->moves.at[i];
    if (m->kind != MOVE_READ || m->is_alone ||
        (without && is_allowed(a, without, m)))
      continue;
    for (uint32_t l = a->cells.at[m->what].labels; l != NONE;
         l = a->labels.at[l].next)
      if (a->labels.at[l].thread != a->nodes.at[m->from].thread &&
          over_may_get(a, a->nodes.at[m->from].thread, l))
        add_set(a, reach[l], a->nodes.at[m->to].later);
  }
  for (uint32_t k = 0; k < a->labels.len; k++)
    for (uint32_t l = 0; l < a->labels.len; l++)
      if (bit_has(reach[l], k))
        add_set(a, reach[l], reach[k]);
}

// What a lock guards is ordered behind marked reads before, see guarded.c.
static void drop_guarded(const struct over *a, uint64_t *set) {
  for (unsigned i = 0; i < WORDS; i++)
    set[i] &= ~a->guarded[i];
}

// What each thread may write, without order, behind a read of each cell.
static void find_free(struct over *a) {
  a->free_behind =
      xcalloc((size_t)MAX_THREADS * a->cells.len + 1, sizeof *a->free_behind);
  for (uint32_t i = 0; i < a->moves.len; i++) {
    const struct move *m = &a->moves.at[i];
    if (m->kind != MOVE_READ || m->is_alone || m->is_guarded)
      continue;
    const struct node *from = &a->nodes.at[m->from], *to = &a->nodes.at[m->to];
    uint64_t *behind = a->free_behind[from->thread * a->cells.len + m->what];
    uint64_t fresh[WORDS] = {0};
    if (guesses_cores(a) && is_plain((enum order)m->order))
      add_set(a, fresh, to->later);
    else if (m->is_strong)
      add_loose(a, fresh, to->free);
    else
      add_set(a, fresh, to->free);
    if (!is_plain((enum order)m->order))
      drop_guarded(a, fresh);
    add_set(a, behind, fresh);
  }
}

void over_find_feedback(struct over *a) {
  if (guesses_cores(a))
    keep_orders(a);
  if (a->x->config.model->declared & MODEL_SECTIONS_ORDER)
    over_find_guarded(a);
  find_later(a);
  find_reach(a, NULL, a->reach);
  find_free(a);
}

// The labels to which label l leads in such a way that, closed to a cycle, it
// has more than one location. (If not, it would be a cycle of coherence.)
static void find_way(const struct over *a,
                     const uint64_t reach[MOST_LABELS][WORDS], uint32_t l,
                     uint64_t *ret) {
  memset(ret, 0, WORDS * sizeof *ret);
  for (uint32_t m = 0; m < a->labels.len; m++)
    if (bit_has(reach[l], m) && loc_of(a, m) != loc_of(a, l)) {
      bit_add(ret, m);
      add_set(a, ret, reach[m]);
    }
}

// Has the set a label of another thread than t with this cell, which t may
// read?
static bool has_other(const struct over *a, const uint64_t *set, thread_id t,
                      uint32_t cell) {
  for (uint32_t l = a->cells.at[cell].labels; l != NONE;
       l = a->labels.at[l].next)
    if (a->labels.at[l].thread != t && bit_has(set, l) && over_may_get(a, t, l))
      return true;
  return false;
}

// Does the label lead to a read of thread t that it is not ordered behind?
static bool comes_back_to(const struct over *a, const uint64_t *way, uint32_t l,
                          thread_id t) {
  for (uint32_t c = 0; c < a->cells.len; c++)
    if (bit_has(a->free_behind[t * a->cells.len + c], l) &&
        has_other(a, way, t, c))
      return true;
  return false;
}

// (What a thread reads before it creates others, or they end, counts for what
// these write, where that is not known to be ordered.)
static bool finds_way_back(const struct over *a, uint32_t l) {
  thread_id own = a->labels.at[l].thread;
  uint64_t way[WORDS];
  find_way(a, a->reach, l, way);
  bool found = comes_back_to(a, way, l, own);
  for (thread_id t = 0; guesses_cores(a) && !found && t < MAX_THREADS; t++)
    found = t != own && comes_back_to(a, way, l, t);
  return found;
}

bool over_comes_back(struct over *a, uint32_t l) {
  uint8_t *known = &a->labels.at[l].returns;
  if (*known == UNKNOWN)
    *known = finds_way_back(a, l) ? YES : NO;
  return *known == YES;
}

bool over_has_cycles(struct over *a, uint64_t threads) {
  for (uint32_t l = 0; l < a->labels.len; l++)
    if ((threads >> a->labels.at[l].thread & 1) && over_comes_back(a, l))
      return guesses_cores(a) ||
             (over_has_steps(a, threads) && over_has_hb_cycles(a, threads));
  return false;
}

// ---- threads that have nothing to do with each other

// The threads that access a location.
static uint64_t users_of(const struct over *a, uint32_t loc) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < a->moves.len; i++) {
    const struct move *m = &a->moves.at[i];
    uint32_t cell = m->kind == MOVE_READ    ? m->what
                    : m->kind == MOVE_WRITE ? a->labels.at[m->what].cell
                                            : NONE;
    if (cell != NONE && a->cells.at[cell].loc == loc)
      found |= 1ull << a->nodes.at[m->from].thread;
  }
  return found;
}

static bool is_first_of_loc(const struct over *a, uint32_t cell) {
  for (uint32_t i = 0; i < cell; i++)
    if (a->cells.at[i].loc == a->cells.at[cell].loc)
      return false;
  return true;
}

uint32_t over_groups(const struct over *a, uint64_t ret[MAX_THREADS]) {
  uint64_t creators = 1, all = 0;
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->nodes.len; i++) {
    all |= 1ull << a->nodes.at[i].thread;
    if (a->nodes.at[i].spawns)
      creators |= 1ull << a->nodes.at[i].thread;
  }
  for (thread_id t = 0; t < MAX_THREADS; t++)
    if ((all & ~creators) >> t & 1)
      ret[n++] = 1ull << t;
  for (uint32_t c = 0; c < a->cells.len; c++) {
    if (!is_first_of_loc(a, c))
      continue;
    uint64_t users = users_of(a, a->cells.at[c].loc);
    if ((users & creators) && (users & (users - 1)))
      users = all; // who creates threads has to do with all of them
    uint64_t joint = 0;
    for (uint32_t i = n; i-- > 0;)
      if (ret[i] & users) {
        joint |= ret[i];
        ret[i] = ret[--n];
      }
    if (joint)
      ret[n++] = joint;
  }
  for (uint32_t i = 0; i < n; i++)
    ret[i] |= creators;
  return n;
}

// ---- which guesses are needed

uint32_t over_most_reads(const struct over *a, thread_id t, uint32_t loc) {
  uint32_t *n = xcalloc(a->nodes.len, sizeof *n), most = 0;
  for (bool more = true; more && most <= MOST_WRITES;) {
    more = false;
    for (uint32_t i = a->moves.len; i-- > 0;) {
      const struct move *m = &a->moves.at[i];
      if (a->nodes.at[m->from].thread != t || a->nodes.at[m->to].thread != t)
        continue;
      uint32_t now =
          n[m->to] + (m->kind == MOVE_READ && a->cells.at[m->what].loc == loc);
      if (now <= n[m->from])
        continue;
      n[m->from] = now;
      most = now > most ? now : most;
      more = true;
    }
  }
  free(n);
  return most > MOST_WRITES ? NONE : most;
}

// Is the guess on a cycle in which nothing else is guessed?
static bool is_needed(const struct over *a, struct guesses *g, uint32_t nth) {
  static _Thread_local uint64_t reach[MOST_LABELS][WORDS];
  struct guess *k = &g->at[nth];
  k->allowed = 0;
  memset(reach, 0, sizeof reach);
  find_reach(a, g, reach);
  for (uint32_t i = 0; i < a->moves.len; i++) {
    const struct move *m = &a->moves.at[i];
    if (!over_is_of_guess(a, m, k))
      continue;
    for (uint32_t l = a->cells.at[m->what].labels; l != NONE;
         l = a->labels.at[l].next)
      if (a->labels.at[l].thread != k->reader) {
        uint64_t way[WORDS];
        find_way(a, reach, l, way);
        if (bit_has(way, l))
          return true;
      }
  }
  return false;
}

// Is label l a write that the guess may read?
static bool is_written(const struct over *a, const struct guess *g,
                       uint32_t l) {
  const struct cell *c = &a->cells.at[a->labels.at[l].cell];
  return c->loc == g->loc && c->value == g->value &&
         a->labels.at[l].thread != g->reader;
}

// May such a write be on a cycle?
static bool may_return(struct over *a, const struct guess *g) {
  for (uint32_t l = 0; l < a->labels.len; l++)
    if (is_written(a, g, l) && over_comes_back(a, l))
      return true;
  return false;
}

// May the write of one guess lead to the write of another one?
static bool leads_to(const struct over *a, const struct guess *from,
                     const struct guess *to) {
  for (uint32_t l = 0; l < a->labels.len; l++)
    for (uint32_t m = 0; m < a->labels.len && is_written(a, from, l); m++)
      if (bit_has(a->reach[l], m) && is_written(a, to, m))
        return true;
  return false;
}

// The guesses that may be on a cycle with the nth stand in for it.
static void mark_substitutes(const struct over *a, struct guesses *g,
                             uint32_t nth) {
  for (uint32_t i = 0; i < g->len; i++)
    if (i != nth && g->at[i].allowed && leads_to(a, &g->at[nth], &g->at[i]) &&
        leads_to(a, &g->at[i], &g->at[nth]))
      g->at[i].stands_in = true;
}

void over_choose(struct over *a, struct guesses *g) {
  bool is_bounded = true;
  for (uint32_t i = 0; i < g->len; i++)
    if (!may_return(a, &g->at[i]))
      g->at[i].allowed = 0;
  if (!guesses_cores(a))
    over_drop_vain(a, g);
  // If guesses stand for each other, there must be enough of those that stay.
  for (uint32_t i = 0; i < g->len; i++) {
    struct guess *k = &g->at[i];
    uint32_t most = k->allowed ? over_most_reads(a, k->reader, k->loc) : 0;
    is_bounded &= most != NONE;
    if (most != NONE && most > k->allowed && k->allowed)
      k->allowed = most;
  }
  for (uint32_t i = g->len; is_bounded && i-- > 0;) {
    uint32_t allowed = g->at[i].allowed;
    if (!allowed)
      continue;
    g->at[i].allowed = is_needed(a, g, i) ? allowed : 0;
    if (!g->at[i].allowed)
      mark_substitutes(a, g, i);
  }
  // The others are what they are in the execution that justifies a core.
  for (uint32_t i = 0; i < g->len; i++)
    if (g->at[i].allowed && !g->at[i].stands_in)
      g->at[i].allowed = g->at[i].most;
}
