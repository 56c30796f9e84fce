// SPDX-License-Identifier: MIT
// While the program is explored with guesses (guess.c, forward.c), what threads
// could do alone (over.h) says where that leads to nothing:
//  - A guess has to be closed, by a write that comes after it by po ∪ rf: it is
//    there, or some thread that has not stopped may still do it.
//  - So it is with a thread that waits for a write; and who does it must not
//    wait himself, for one who waits, and so on.
//  - Of a thread that will write nothing which leads to such a write, nothing
//    more is part of a core. If it is behind a read, it may not even stop.
//  - What a thread has stopped with is read by another one, or closes a guess,
//    or a thread may still read it that has seen nothing newer.
// All of this is asked before a thread reads something, makes a guess, waits or
// stops.
#include "explore/cycles/justify/over_graph.h"

enum {
  MOST_WANTED = 32, // guesses of which it is asked whether they are planned
  PLANS_PER_QUESTION = 128, // what it costs to ask them
};

// ---- before the exploration

static bool may_close(const struct over *a, const struct guess *k, uint32_t l) {
  const struct label *w = &a->labels.at[l];
  const struct cell *c = &a->cells.at[w->cell];
  uint64_t writers = k->stands_in ? ~0ull : k->writers[w->order];
  return c->loc == k->loc && c->value == k->value && w->thread != k->reader &&
         (writers >> w->thread & 1);
}

static bool meets(const struct over *a, const uint64_t *set,
                  const uint64_t *other) {
  uint64_t both = 0;
  for (unsigned i = 0; i * 64 < a->labels.len; i++)
    both |= set[i] & other[i];
  return both;
}

// The guesses that the move may be.
static uint64_t guesses_of(const struct over *a, const struct guesses *g,
                           const struct move *m) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < g->len; i++)
    if (g->at[i].allowed && over_is_of_guess(a, m, &g->at[i]))
      found |= 1ull << i % 64;
  return found;
}

// Finds what closes each guess, and what leads to that. (What closes one leads
// to itself: its reader comes before it.)
static void find_useful(struct over *a, const struct guesses *g) {
  uint64_t ends[WORDS] = {0};
  a->closers = xcalloc(g->len + 1, sizeof *a->closers);
  for (uint32_t i = 0; i < g->len; i++)
    for (uint32_t l = 0; l < a->labels.len && g->at[i].allowed; l++)
      if (may_close(a, &g->at[i], l)) {
        bit_add(a->closers[i], l);
        bit_add(ends, l);
      }
  for (uint32_t l = 0; l < a->labels.len; l++)
    if (meets(a, a->reach[l], ends))
      bit_add(a->useful, l);
}

void over_aim(struct over *a, const struct guesses *g) {
  find_useful(a, g);
  for (uint32_t i = 0; i < a->moves.len; i++)
    a->nodes.at[a->moves.at[i].from].guesses |=
        guesses_of(a, g, &a->moves.at[i]);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = a->moves.len; i-- > 0;) {
      struct node *from = &a->nodes.at[a->moves.at[i].from];
      uint64_t fresh = a->nodes.at[a->moves.at[i].to].guesses & ~from->guesses;
      from->guesses |= fresh;
      more |= fresh != 0;
    }
  }
}

// ---- during it

// The node of thread t in state s, behind so many of its events; NULL if that
// is not known.
static struct node *node_of(struct over *a, const struct graph *g, thread_id t,
                            state_id s, uint32_t end) {
  uint32_t spawns = 0;
  for (uint32_t i = 0; i < end && (a->creators >> t & 1); i++)
    spawns += g->events[graph_at(g, t, i)].kind == EV_SPAWN;
  uint32_t i = over_find(a, t, s, spawns);
  return i == NONE ? NULL : &a->nodes.at[i];
}

// A state that no thread could be in alone is part of no core. (That a weak
// compare-exchange will not fail for no reason is a state of its own here.)
static bool is_known(const struct explorer *x, state_id s) {
  return vm_access(x->vm, s)->kind != ACC_CAS_READ;
}

// Does nothing of use come of a thread in this state, which is at the node?
static bool is_over(const struct explorer *x, state_id s,
                    const struct node *n) {
  if (!x->cycles.over)
    return false;
  return n ? !meets(x->cycles.over, n->later, x->cycles.over->useful)
           : is_known(x, s);
}

bool feasible_is_useless(struct explorer *x, thread_id t) {
  state_id s = x->g.threads[t].state;
  return x->cycles.over && is_over(x, s,
                                   node_of(x->cycles.over, &x->g, t, s,
                                           graph_thread_length(&x->g, t)));
}

// What is asked about: thread t stops, or waits for another write; or it reads
// that write, or makes that guess, which takes it to `state`; or nothing is
// supposed, if the thread is NO_THREAD.
struct supposed {
  thread_id thread;
  bool stops, waits;
  state_id state;
  event_id write; // or NO_EVENT
  uint32_t guess; // or NONE
};
static const struct supposed nothing = {
    .thread = NO_THREAD, .write = NO_EVENT, .guess = NONE};

// Threads that have not stopped, and what they may still write.
struct alive {
  uint64_t threads;
  uint64_t waiting;    // of these; what they do is not counted so far
  struct node **nodes; // by thread; NULL: of no core
  uint64_t labels[WORDS];
  uint64_t guesses; // that they may make
  bool is_all;      // it is not known
  bool is_stuck;    // one of them will neither get further nor may stop
};

static bool has_write(const struct explorer *x, const struct alive *alive,
                      thread_id t, uint32_t loc) {
  const struct over *a = x->cycles.over;
  if (alive->is_all)
    return alive->threads & ~(1ull << t);
  for (uint32_t i = 0; i * 64 < a->labels.len; i++)
    for (uint64_t rest = alive->labels[i]; rest; rest &= rest - 1) {
      uint32_t l = i * 64 + (uint32_t)__builtin_ctzll(rest);
      if (loc_of(a, l) == loc && a->labels.at[l].thread != t)
        return true;
    }
  return false;
}

static void add_alive(const struct explorer *x, thread_id t,
                      struct alive *ret) {
  const struct node *n = ret->nodes[t];
  if (!n)
    return;
  add_set(x->cycles.over, ret->labels, n->later);
  ret->guesses |= n->guesses;
}

// Threads that wait go on if a thread that goes on writes.
static void let_wait(const struct explorer *x, struct alive *ret) {
  for (bool more = true; more && ret->waiting;) {
    more = false;
    for (uint64_t rest = ret->waiting; rest; rest &= rest - 1) {
      thread_id t = (thread_id)__builtin_ctzll(rest);
      uint32_t loc = vm_access(x->vm, x->g.threads[t].state)->loc;
      if (!has_write(x, ret, t, loc))
        continue;
      add_alive(x, t, ret);
      ret->waiting &= ~(1ull << t);
      more = true;
    }
  }
  ret->is_stuck |= ret->waiting;
}

// Thread t is in that state.
static void find_node(const struct explorer *x, thread_id t, state_id s,
                      bool may_stop, struct alive *ret) {
  struct node *n = x->cycles.over ? node_of(x->cycles.over, &x->g, t, s,
                                            graph_thread_length(&x->g, t))
                                  : NULL;
  ret->threads |= 1ull << t;
  ret->nodes[t] = n;
  ret->is_all |= !n && !is_known(x, s);
  ret->is_stuck |= !may_stop && is_over(x, s, n);
}

// All threads but one.
static void find_others(const struct explorer *x, thread_id but,
                        struct node **nodes, struct alive *ret) {
  *ret = (struct alive){.nodes = nodes, .is_all = !x->cycles.over};
  for (uint64_t rest = x->g.active & ~x->cycles.frozen; rest;
       rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    if (t == but || pause_has_stopped(x, t))
      continue;
    find_node(x, t, x->g.threads[t].state, pause_may_stop(x, t), ret);
    if (pause_may_run(x, t))
      add_alive(x, t, ret);
    else
      ret->waiting |= 1ull << t;
  }
}

// All that may come after the node, by po ∪ rf.
static const uint64_t *ahead_of(const struct over *a, struct node *n) {
  if (!n->has_ahead) {
    add_set(a, n->ahead, n->later);
    for (uint32_t l = 0; l < a->labels.len; l++)
      if (bit_has(n->later, l))
        add_set(a, n->ahead, a->reach[l]);
    n->has_ahead = true;
  }
  return n->ahead;
}

static bool is_closed(const struct explorer *x, event_id guess) {
  uint32_t loc = x->cycles.guesses->at[x->g.events[guess].loc].loc;
  const struct event_list *co = loc < x->g.locs.len ? &x->g.locs.at[loc].co : 0;
  for (uint32_t i = 1; co && i < co->len; i++)
    if (guess_may_read(x, guess, co->at[i]))
      return true;
  return false;
}

// Does all that thread t does from now on happen after the event?
static bool is_known_to(const struct graph *g, event_id id, thread_id t) {
  const struct event *e = &g->events[id];
  return g->coherence == COHERENCE_HB && t < g->nthreads &&
         graph_thread_length(g, t) &&
         clock_knows(&g->clocks, g->events[graph_tail(g, t)].hb, e->thread,
                     e->index);
}

// The threads that may still close the guess; all of them if it is closed.
static uint64_t closers_of(const struct explorer *x, const struct alive *alive,
                           event_id guess) {
  const struct event *e = &x->g.events[guess];
  struct over *a = x->cycles.over;
  struct node *after = node_of(a, &x->g, e->thread, e->state, e->index + 1);
  uint64_t found = 0;
  if (alive->is_all || !after || is_closed(x, guess))
    return ~0ull;
  const uint64_t *ahead = ahead_of(a, after), *closers = a->closers[e->loc];
  for (uint32_t i = 0; i * 64 < a->labels.len; i++)
    for (uint64_t rest = ahead[i] & alive->labels[i] & closers[i]; rest;
         rest &= rest - 1) {
      uint32_t l = i * 64 + (uint32_t)__builtin_ctzll(rest);
      if (!is_known_to(&x->g, guess, a->labels.at[l].thread))
        found |= 1ull << a->labels.at[l].thread;
    }
  return found;
}

// May thread t, which is alive, still read the write? It has not seen anything
// newer.
static bool may_read(const struct explorer *x, thread_id t,
                     const struct event *w) {
  const struct event *tail = &x->g.events[graph_tail(&x->g, t)];
  return graph_co_floor(&x->g, w->loc, t, tail->index + 1, tail->hb) <= w->co;
}

static bool has_reader(const struct explorer *x, const struct alive *alive,
                       const struct event *w) {
  const struct over *a = x->cycles.over;
  for (uint64_t left = alive->threads; left; left &= left - 1) {
    thread_id t = (thread_id)__builtin_ctzll(left);
    const struct node *n = alive->nodes[t];
    bool reads = false;
    for (uint32_t i = 0; n && i * 64 < a->cells.len; i++)
      for (uint64_t rest = n->reads[i]; rest && !reads; rest &= rest - 1) {
        const struct cell *c =
            &a->cells.at[i * 64 + (uint32_t)__builtin_ctzll(rest)];
        reads = c->loc == w->loc && c->value == w->value;
      }
    if (reads && may_read(x, t, w))
      return true;
  }
  return false;
}

// Is the write read by another thread, or may it be, or is there a guess that
// it may close?
static bool is_of_use(const struct explorer *x, const struct alive *alive,
                      event_id write) {
  const struct graph *g = &x->g;
  const struct event *w = &g->events[write];
  const struct event_list *reads = &g->locs.at[w->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const struct event *r = &g->events[reads->at[i]];
    if (r->rf == write && r->thread != w->thread)
      return true;
  }
  for (uint32_t i = 0; i < x->cycles.guessed.len; i++) {
    const struct guess *k =
        &x->cycles.guesses->at[x->g.events[x->cycles.guessed.at[i]].loc];
    if (k->loc == w->loc && k->value == w->value)
      return true;
  }
  return alive->is_all ? alive->threads : has_reader(x, alive, w);
}

// Has no thread stopped with something that is of no use? (The write `read`
// is.)
static bool are_of_use(const struct explorer *x, const struct alive *alive,
                       event_id read) {
  uint64_t stopped = x->g.active & ~x->cycles.frozen & ~alive->threads;
  for (uint64_t rest = stopped; rest; rest &= rest - 1) {
    event_id tail = graph_tail(&x->g, (thread_id)__builtin_ctzll(rest));
    if (x->g.events[tail].kind == EV_WRITE && tail != read &&
        !is_of_use(x, alive, tail))
      return false;
  }
  return true;
}

// May a guess be made that is closed later?
static bool may_guess(const struct explorer *x, const struct alive *alive) {
  const struct over *a = x->cycles.over;
  for (uint32_t i = 0; i < x->cycles.guesses->len && !alive->is_all; i++)
    if ((alive->guesses >> i % 64 & 1) &&
        meets(a, a->closers[i], alive->labels))
      return true;
  return alive->is_all;
}

// The same of a guess that thread t makes now.
static uint64_t later_closers(const struct explorer *x,
                              const struct alive *alive, thread_id t,
                              uint32_t guess) {
  const struct over *a = x->cycles.over;
  struct node *n = alive->nodes[t];
  uint64_t found = 0;
  if (alive->is_all || !n)
    return ~0ull;
  const uint64_t *ahead = ahead_of(a, n), *closers = a->closers[guess];
  for (uint32_t i = 0; i * 64 < a->labels.len; i++)
    for (uint64_t rest = ahead[i] & alive->labels[i] & closers[i]; rest;
         rest &= rest - 1) {
      uint32_t l = i * 64 + (uint32_t)__builtin_ctzll(rest);
      found |= 1ull << a->labels.at[l].thread;
    }
  return found;
}

// How many writes this guess needs as sources, in the graph and, if it is made
// now, there. Its thread sees one write after another in co, so the source is
// another one whenever the thread has seen another value since, or has written.
static uint32_t sources_of(const struct explorer *x, uint32_t guess,
                           bool is_made_now) {
  const struct graph *g = &x->g;
  const struct guess *k = &x->cycles.guesses->at[guess];
  uint32_t n = 0, len = graph_thread_length(g, k->reader);
  bool is_same = false; // as the last one of these guesses
  for (uint32_t i = 0; i < len + is_made_now; i++) {
    const struct event *e =
        i < len ? &g->events[graph_at(g, k->reader, i)] : NULL;
    bool is_other = e && event_is_guess(e) && e->loc != guess;
    if (!e || (event_is_guess(e) && e->loc == guess)) {
      n += !is_same;
      is_same = true;
    } else if (is_other ? x->cycles.guesses->at[e->loc].loc == k->loc
                        : (e->kind == EV_READ || e->kind == EV_WRITE) &&
                              e->loc == k->loc) {
      is_same &= e->kind != EV_WRITE && e->value == k->value;
    }
  }
  return g->coherence == COHERENCE_HB ? n : 0;
}

// Could all guesses be closed, in a way that is planned?
static bool may_close_all(struct explorer *x, const struct alive *alive,
                          const struct supposed *k) {
  const struct guesses *g = x->cycles.guesses;
  struct wanted all[MOST_WANTED];
  uint32_t n = 0, len = x->cycles.guessed.len;
  for (uint32_t i = 0; i < len + (k->guess != NONE); i++) {
    event_id e = i < len ? x->cycles.guessed.at[i] : NO_EVENT;
    struct wanted w = {.guess = i < len ? x->g.events[e].loc : k->guess};
    if (i < len)
      w.closers = x->cycles.over ? closers_of(x, alive, e) : ~0ull;
    else
      w.closers = later_closers(x, alive, k->thread, k->guess);
    if (!w.closers)
      return false;
    if (g->at[w.guess].stands_in || n == MOST_WANTED || !g->plans)
      continue;
    w.sources = sources_of(x, w.guess, w.guess == k->guess);
    all[n++] = w;
  }
  uint32_t looked_at;
  bool ok = plans_allow(g, all, n, &looked_at);
  x->cycles.asked += looked_at / PLANS_PER_QUESTION;
  return ok;
}

static bool is_left(struct explorer *x, const struct alive *others,
                    const struct supposed *k) {
  struct alive alive = *others;
  x->cycles.asked++;
  if (k->thread != NO_THREAD && !k->stops)
    find_node(x, k->thread, k->state, k->waits && pause_may_stop(x, k->thread),
              &alive);
  if (k->waits)
    alive.waiting |= 1ull << k->thread;
  else if (k->thread != NO_THREAD && !k->stops)
    add_alive(x, k->thread, &alive);
  if (alive.is_stuck)
    return false;
  let_wait(x, &alive);
  if (alive.is_stuck || !are_of_use(x, &alive, k->write))
    return false;
  if (!may_close_all(x, &alive, k))
    return false;
  return x->cycles.guessed.len || k->guess != NONE || may_guess(x, &alive);
}

bool feasible_is_left(struct explorer *x) {
  struct node *nodes[MAX_THREADS];
  struct alive all;
  guess_find_guessed(x);
  find_others(x, NO_THREAD, nodes, &all);
  return is_left(x, &all, &nothing);
}

bool feasible_lets_stop(struct explorer *x, thread_id t) {
  struct node *nodes[MAX_THREADS];
  struct alive others;
  struct supposed k = nothing;
  k.thread = t;
  k.stops = true;
  guess_find_guessed(x);
  find_others(x, t, nodes, &others);
  return is_left(x, &others, &k);
}

// (Who finds a lock held goes nowhere, and is left for that: read.c.)
static bool lets_read(struct explorer *x, const struct alive *others,
                      struct supposed k, uint64_t value) {
  state_id pre = x->g.threads[k.thread].state;
  if (vm_access(x->vm, pre)->kind == ACC_LOCK_READ && value)
    return true;
  k.state = vm_step(x->vm, pre, value);
  return !k.state || is_left(x, others, &k);
}

bool feasible_choose_guesses(struct explorer *x, thread_id t, uint32_t first) {
  struct node *nodes[MAX_THREADS];
  struct alive others;
  uint32_t kept = first;
  guess_find_guessed(x);
  find_others(x, t, nodes, &others);
  for (uint32_t i = first; i < x->options.len; i++) {
    uint32_t guess = x->options.at[i];
    struct supposed k = {.thread = t, .write = NO_EVENT, .guess = guess};
    if (lets_read(x, &others, k, x->cycles.guesses->at[guess].value))
      x->options.at[kept++] = guess;
  }
  x->options.len = kept;
  struct supposed k = {.thread = t,
                       .waits = true,
                       .state = x->g.threads[t].state,
                       .write = NO_EVENT,
                       .guess = NONE};
  return is_left(x, &others, &k);
}

void feasible_choose_sources(struct explorer *x, thread_id t, uint32_t loc,
                             uint32_t first) {
  struct node *nodes[MAX_THREADS];
  struct alive others;
  uint32_t kept = first;
  guess_find_guessed(x);
  find_others(x, t, nodes, &others);
  for (uint32_t i = first; i < x->options.len; i++) {
    event_id write = x->options.at[i];
    struct supposed k = {.thread = t, .write = write, .guess = NONE};
    bool is_uninit;
    uint64_t value = event_value_of(x, loc, write, &is_uninit);
    if (is_uninit || lets_read(x, &others, k, value))
      x->options.at[kept++] = write;
  }
  x->options.len = kept;
}
