// SPDX-License-Identifier: MIT
// While the program is explored with guesses (guess.c, forward.c), what threads
// could do alone (alone.h) says where that leads to nothing:
//  - A guess has to be closed, by a write that comes after it by po ∪ rf: it is
//    there, or some thread that has not stopped may still do it.
//  - So it is with a thread that waits for a write.
//  - Of a thread that will write nothing which leads to such a write, nothing
//    more is part of a core.
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

static bool is_allowed(const struct alone *a, const struct guesses *g,
                       const struct move *m) {
  for (uint32_t i = 0; i < g->len; i++)
    if (g->at[i].allowed && alone_is_of_guess(a, m, &g->at[i]))
      return true;
  return false;
}

void alone_aim(struct alone *a, const struct guesses *g) {
  for (uint32_t i = 0; i < a->moves.len; i++)
    a->nodes.at[a->moves.at[i].from].may_guess |=
        is_allowed(a, g, &a->moves.at[i]);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = a->moves.len; i-- > 0;) {
      struct node *from = &a->nodes.at[a->moves.at[i].from];
      if (!from->may_guess && a->nodes.at[a->moves.at[i].to].may_guess)
        from->may_guess = more = true;
    }
  }
}

// ---- during it

// The node of thread t in state s, behind so many of its events; NULL if that
// is not known.
static struct node *node_of(struct alone *a, const struct graph *g, thread_id t,
                            state_id s, uint32_t end) {
  uint32_t spawns = 0;
  for (uint32_t i = 0; i < end && (a->creators >> t & 1); i++)
    spawns += g->events[graph_at(g, t, i)].kind == EV_SPAWN;
  uint32_t i = alone_find(a, t, s, spawns);
  return i == NONE ? NULL : &a->nodes.at[i];
}

static struct node *node_now(const struct explorer *x, thread_id t) {
  return node_of(x->alone, &x->g, t, x->g.threads[t].state,
                 graph_thread_length(&x->g, t));
}

// A state that no thread could be in alone is part of no core. (That a weak
// compare-exchange will not fail for no reason is a state of its own here.)
static bool is_known(const struct explorer *x, thread_id t) {
  return vm_access(x->vm, x->g.threads[t].state)->kind != ACC_CAS_READ;
}

static bool is_guessed(const struct explorer *x, uint32_t nth) {
  for (uint32_t i = 0; i < x->guessed.len; i++)
    if (x->guessed.at[i] == nth)
      return true;
  return false;
}

// The labels that lead to what closes a guess, which is there or may be added.
static void find_useful(struct explorer *x) {
  struct alone *a = x->alone;
  uint64_t ends[WORDS] = {0};
  memset(a->useful, 0, sizeof a->useful);
  for (uint32_t i = 0; i < x->guesses->len; i++) {
    const struct guess *k = &x->guesses->at[i];
    if (!k->allowed || (!is_guessed(x, i) && !guess_goes_together(x, i)))
      continue;
    for (uint32_t l = 0; l < a->labels.len; l++)
      if (may_close(a, k, l))
        add_bit(ends, l);
  }
  for (uint32_t l = 0; l < a->labels.len; l++)
    if (has_bit(ends, l) || meets(a, a->reach[l], ends))
      add_bit(a->useful, l);
}

// The same, as long as the same guesses are there.
static const uint64_t *useful_now(struct explorer *x) {
  struct alone *a = x->alone;
  guess_find_guessed(x);
  if (a->has_useful && a->useful_with.len == x->guessed.len &&
      (!x->guessed.len || memcmp(a->useful_with.at, x->guessed.at,
                                 x->guessed.len * sizeof *x->guessed.at) == 0))
    return a->useful;
  a->has_useful = true;
  a->useful_with.len = 0;
  for (uint32_t i = 0; i < x->guessed.len; i++)
    array_push(&a->useful_with, x->guessed.at[i]);
  find_useful(x);
  return a->useful;
}

bool hope_is_over(struct explorer *x, thread_id t) {
  if (!x->alone)
    return false;
  const struct node *n = node_now(x, t);
  return n ? !meets(x->alone, n->later, useful_now(x)) : is_known(x, t);
}

// What threads may still write that have not stopped.
struct alive {
  uint64_t labels[WORDS];
  uint64_t reads[CELL_WORDS]; // cells: and read
  uint64_t threads;
  bool may_guess;
  bool is_all; // it is not known
};

static void find_alive(const struct explorer *x, struct alive *ret) {
  *ret = (struct alive){.is_all = !x->alone};
  for (uint64_t rest = x->g.active & ~x->frozen; rest; rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    if (pause_has_stopped(x, t))
      continue;
    ret->threads |= 1ull << t;
    const struct node *n = x->alone ? node_now(x, t) : NULL;
    ret->is_all |= !n && !is_known(x, t);
    if (!n)
      continue;
    add_set(x->alone, ret->labels, n->later);
    ret->may_guess |= n->may_guess;
    for (unsigned i = 0; i < CELL_WORDS; i++)
      ret->reads[i] |= n->reads[i];
  }
}

static bool has_write(const struct explorer *x, const struct alive *alive,
                      thread_id t, uint32_t loc) {
  const struct alone *a = x->alone;
  if (alive->is_all)
    return alive->threads & ~(1ull << t);
  for (uint32_t l = 0; l < a->labels.len; l++)
    if (has_bit(alive->labels, l) && loc_of(a, l) == loc &&
        a->labels.at[l].thread != t)
      return true;
  return false;
}

bool hope_has_write(const struct explorer *x, thread_id t, uint32_t loc) {
  struct alive alive;
  find_alive(x, &alive);
  return has_write(x, &alive, t, loc);
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

static bool is_closed(const struct explorer *x, event_id guess) {
  uint32_t loc = x->guesses->at[x->g.events[guess].loc].loc;
  const struct event_list *co = loc < x->g.locs.len ? &x->g.locs.at[loc].co : 0;
  for (uint32_t i = 1; co && i < co->len; i++)
    if (guess_may_read(x, guess, co->at[i]))
      return true;
  return false;
}

// Does all that thread t does from now on happen after the event?
static bool is_known_to(const struct graph *g, event_id id, thread_id t) {
  const struct event *e = &g->events[id];
  return t < g->nthreads && graph_thread_length(g, t) &&
         clock_knows(&g->clocks, g->events[graph_tail(g, t)].hb, e->thread,
                     e->index);
}

// Is the guess closed, or may it still be?
static bool may_be_closed(const struct explorer *x, const struct alive *alive,
                          event_id guess) {
  const struct event *e = &x->g.events[guess];
  struct alone *a = x->alone;
  struct node *after = node_of(a, &x->g, e->thread, e->state, e->index + 1);
  if (alive->is_all || !after || is_closed(x, guess))
    return true;
  const uint64_t *ahead = ahead_of(a, after);
  for (uint32_t l = 0; l < a->labels.len; l++)
    if (has_bit(ahead, l) && has_bit(alive->labels, l) &&
        may_close(a, &x->guesses->at[e->loc], l) &&
        !is_known_to(&x->g, guess, a->labels.at[l].thread))
      return true;
  return false;
}

// Is the write read by another thread, or may it be, or is there a guess that
// it may close?
static bool is_of_use(const struct explorer *x, const struct alive *alive,
                      event_id write) {
  const struct graph *g = &x->g;
  const struct event *w = &g->events[write];
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next) {
    const struct event *r = &g->events[e];
    if (r->kind == EV_READ && r->rf == write && r->thread != w->thread)
      return true;
    const struct guess *k = event_is_guess(r) ? &x->guesses->at[r->loc] : NULL;
    if (k && k->loc == w->loc && k->value == w->value)
      return true;
  }
  if (alive->is_all)
    return alive->threads;
  for (uint32_t c = 0; c < x->alone->cells.len; c++)
    if (has_bit(alive->reads, c) && x->alone->cells.at[c].loc == w->loc &&
        x->alone->cells.at[c].value == w->value)
      return true;
  return false;
}

// May a thread that neither stopped nor can go on at once do so later, and is
// what a thread has stopped with of use?
static bool is_needed(const struct explorer *x, const struct alive *alive,
                      thread_id t) {
  const struct event *tail = &x->g.events[graph_tail(&x->g, t)];
  if (pause_has_stopped(x, t))
    return tail->kind != EV_WRITE || is_of_use(x, alive, graph_tail(&x->g, t));
  return pause_may_run(x, t) ||
         has_write(x, alive, t, vm_access(x->vm, x->g.threads[t].state)->loc);
}

bool hope_is_left(struct explorer *x) {
  struct alive alive;
  bool has_guess = false;
  find_alive(x, &alive);
  for (uint64_t rest = x->g.active & ~x->frozen; rest; rest &= rest - 1)
    if (!is_needed(x, &alive, (thread_id)__builtin_ctzll(rest)))
      return false;
  for (event_id e = x->g.events[INIT_EVENT].next; x->alone && e != NO_EVENT;
       e = x->g.events[e].next)
    if (event_is_guess(&x->g.events[e])) {
      has_guess = true;
      if (!may_be_closed(x, &alive, e))
        return false;
    }
  return has_guess || alive.is_all || alive.may_guess;
}
