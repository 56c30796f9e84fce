// SPDX-License-Identifier: MIT
// While the program is explored with guesses (guess.c), what threads could do
// alone (alone.h) says where that leads to nothing:
//  - A guess has to be closed, by a write that comes after it by po ∪ rf. No
//    revisit takes a guess back, so what comes before it stays, whatever
//    happens later; from there on threads do what they could do alone. Is the
//    write among that, and may the guess lead to it?
//  - Of a thread that will write nothing which leads to such a write, nothing
//    more is part of a core. It stops there. (That is a program too, so it is
//    explored as any other.)
#include "explore/justify/alone_graph.h"

// ---- before the exploration

static bool may_close(const struct alone *a, const struct guess *k,
                      uint32_t l) {
  const struct label *w = &a->labels.at[l];
  const struct cell *c = &a->cells.at[w->cell];
  uint64_t writers = k->stands_in ? ~0ull : 0;
  for (unsigned o = 0; o <= ORD_SC; o++)
    writers |= k->writers[o];
  return c->loc == k->loc && c->value == k->value && w->thread != k->reader &&
         (writers >> w->thread & 1);
}

static bool meets(const struct alone *a, const uint64_t *set,
                  const uint64_t *other) {
  uint64_t both = 0;
  for (unsigned i = 0; i * 64 < a->labels.len; i++)
    both |= set[i] & other[i];
  return both;
}

void alone_aim(struct alone *a, const struct guesses *g) {
  uint64_t ends[WORDS] = {0}, useful[WORDS] = {0};
  for (uint32_t i = 0; i < g->len; i++)
    for (uint32_t l = 0; l < a->labels.len && g->at[i].allowed; l++)
      if (may_close(a, &g->at[i], l))
        add_bit(ends, l);
  for (uint32_t l = 0; l < a->labels.len; l++)
    if (has_bit(ends, l) || meets(a, a->reach[l], ends))
      add_bit(useful, l);
  for (uint32_t i = 0; i < a->nodes.len; i++)
    a->nodes.at[i].is_over = !meets(a, a->nodes.at[i].later, useful);
}

// ---- during it

static uint32_t count_spawns(const struct graph *g, thread_id t, uint32_t end) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < end; i++)
    n += g->events[graph_at(g, t, i)].kind == EV_SPAWN;
  return n;
}

// The node of thread t in state s, behind so many of its events; NULL if that
// is not known.
static struct node *node_of(struct alone *a, const struct graph *g, thread_id t,
                            state_id s, uint32_t end) {
  bool spawns = a->creators >> t & 1;
  uint32_t i = alone_find(a, t, s, spawns ? count_spawns(g, t, end) : 0);
  return i == NONE ? NULL : &a->nodes.at[i];
}

// A state that no thread could be in alone is part of no core. (That a weak
// compare-exchange will not fail for no reason is a state of its own here.)
bool alone_is_over(struct alone *a, const struct graph *g, thread_id t) {
  const struct node *n =
      node_of(a, g, t, g->threads[t].state, graph_thread_length(g, t));
  return n ? n->is_over
           : vm_access(a->x->vm, g->threads[t].state)->kind != ACC_CAS_READ;
}

// All that may come after the node, by po ∪ rf.
static const uint64_t *ahead_of(const struct alone *a, struct node *n) {
  if (!n->has_ahead) {
    add_set(a, n->ahead, n->later);
    for (uint32_t l = 0; l < a->labels.len; l++)
      if (has_bit(n->later, l))
        add_set(a, n->ahead, a->reach[l]);
    n->has_ahead = true;
  }
  return n->ahead;
}

// How many events of each thread stay, since they come before a guess.
struct kept {
  uint32_t at[MAX_THREADS];
};

static void keep(struct kept *k, const struct graph *g, clock_id porf) {
  for (thread_id u = 0; u < g->nthreads; u++) {
    uint32_t n = clock_get(&g->clocks, porf, u);
    if (n > k->at[u])
      k->at[u] = n;
  }
}

// Could thread u, from where it stays on, write label l?
static bool may_write(struct alone *a, const struct graph *g,
                      const struct kept *k, thread_id u, uint32_t l) {
  uint32_t n = graph_thread_length(g, u), end = k->at[u];
  if (!n)
    return true; // it is not there yet
  state_id s = g->threads[u].state;
  if (end < n)
    s = g->events[graph_at(g, u, end)].pre;
  else if (!s)
    s = g->events[graph_at(g, u, --end)].pre; // it waits
  const struct node *from = s ? node_of(a, g, u, s, end) : NULL;
  return !from || has_bit(from->later, l);
}

// Has thread u written label l, where it stays, after the guess?
static bool has_written(const struct alone *a, const struct graph *g,
                        const struct kept *k, event_id guess, uint32_t l) {
  const struct cell *c = &a->cells.at[a->labels.at[l].cell];
  if (guess == NO_EVENT || c->loc >= g->locs.len ||
      !(g->locs.at[c->loc].threads >> a->labels.at[l].thread & 1))
    return false;
  const struct event_list *list =
      &g->locs.at[c->loc].by_thread[a->labels.at[l].thread];
  for (uint32_t i = 0; i < list->len; i++) {
    const struct event *e = &g->events[list->at[i]];
    if (e->kind == EV_WRITE && e->value == c->value &&
        e->index < k->at[e->thread] && graph_porf(g, guess, list->at[i]))
      return true;
  }
  return false;
}

// Could a guess that leads its thread to state s still be closed? (NO_EVENT: it
// is not in the graph yet.)
static bool may_be_closed(struct alone *a, const struct graph *g,
                          const struct kept *k, const struct guess *what,
                          event_id guess, state_id s) {
  thread_id t = what->reader;
  uint32_t end = guess == NO_EVENT ? graph_thread_length(g, t)
                                   : g->events[guess].index + 1;
  struct node *after = s ? node_of(a, g, t, s, end) : NULL;
  if (!after)
    return true;
  const uint64_t *ahead = ahead_of(a, after);
  for (uint32_t l = 0; l < a->labels.len; l++)
    if (has_bit(ahead, l) && may_close(a, what, l) &&
        (may_write(a, g, k, a->labels.at[l].thread, l) ||
         has_written(a, g, k, guess, l)))
      return true;
  return false;
}

bool alone_may_guess(struct alone *a, const struct guesses *all, thread_id t,
                     uint32_t nth, state_id after) {
  const struct graph *g = &a->x->g;
  struct kept k = {0};
  keep(&k, g, g->events[graph_tail(g, t)].porf);
  k.at[t] = graph_thread_length(g, t);
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (event_is_guess(&g->events[e]))
      keep(&k, g, g->events[e].porf);
  if (!may_be_closed(a, g, &k, &all->at[nth], NO_EVENT, after))
    return false;
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (event_is_guess(&g->events[e]) &&
        !may_be_closed(a, g, &k, &all->at[g->events[e].loc], e,
                       g->events[e].state))
      return false;
  return true;
}
