// SPDX-License-Identifier: MIT
// Equal threads: those that main creates in a row and that start in the same
// state, so with the same function and argument, are interchangeable
// (symmetry.c) unless they can be told apart.
//
// The number of a thread is in the addresses of what it makes, in the words of
// the locks that it takes, and in what it is told about itself; its argument
// may be a name too, if it is only passed on to the thread that joins it. A
// permutation p renames these (vm/rename.c), and p of a graph is one of the
// program if every step of every thread commutes with it:
//   step(p(state), p(value)) = p(step(state, value)).
// We ask this of each step that is taken while there is a group, of every
// thread, once for each state and value, for all p: when it is added, or when a
// group is found or grows and it is in the graph already. (What p does to
// threads that neither the state nor the value names does not matter.) It
// begins with starts: a thread begins with nothing that is another's own, and
// main has kept nothing of it where it creates them. Each run of the search
// finds its groups, and asks, anew.
// States are interned, so it is one comparison of numbers. (What p does to a
// state need not be a permutation of states, only of values: a state follows
// from what its thread has read, so the image of an execution has the images of
// its states, and these are all there are.) No code is trusted:
// a program that compares addresses, or asks who it is, gives another number.
// By induction over the events of a graph, then, the class of every graph that
// we explore consists of executions, and every execution is in such a class.
// What is not a step of one thread is asked for as well: between the
// creations main does nothing else, nor between joins of them, and they all end
// with the same result, or each with its argument, or main does not look at it.
// Otherwise the symmetry is *refuted*: the search stops and begins again
// without it.
// Arguments that point to elements of an array are in elements.c.
#include "explore/reduce/classes.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RENAMINGS = 5040 }; // of one step: more are not tried

// A step that was looked at.
struct known_step {
  uint64_t value;
  state_id pre; // 0: free
  undef_id undef;
};

static void forget_steps(struct symmetry *s) {
  if (s->steps)
    memset(s->steps, 0, s->cap * sizeof *s->steps);
  s->len = 0;
}

void symmetry_forget(struct explorer *x) {
  struct symmetry *s = symmetry_of(x);
  forget_steps(s);
  x->grouped = 0;
  memset(s->group, 0, sizeof s->group);
  elements_forget(x);
}

enum outcome symmetry_refute(struct explorer *x, const char *why) {
  x->grouped = 0;
  x->result.asymmetry = why;
  hooks_refute(x, REDUCE_SYMMETRY);
  x->restart |= RESTART;
  return STOP;
}

// ---- groups

static struct vm_renaming no_renaming(const struct explorer *x) {
  struct vm_renaming r;
  for (unsigned t = 0; t < MAX_THREADS; t++)
    r.to[t] = (uint8_t)t;
  memcpy(r.argument, symmetry_of(x)->argument, sizeof r.argument);
  return r;
}

// Do they start in the same state? Then they have the same function, and the
// same argument unless it is not looked at.
static bool starts_like(struct explorer *x, thread_id t, thread_id u) {
  struct vm_renaming r = no_renaming(x);
  r.to[t] = (uint8_t)u;
  r.to[u] = (uint8_t)t;
  return vm_rename(x->vm, event_of(&x->g, t, 0)->state, &r) ==
         event_of(&x->g, u, 0)->state;
}

// The same, or their arguments point to elements of an array.
static bool points_alike(struct explorer *x, thread_id t, thread_id u) {
  bool had_one = symmetry_of(x)->element[t] != 0;
  if (!elements_give(x, t, u))
    return false;
  if (starts_like(x, t, u))
    return true;
  elements_take(x, u);
  if (!had_one)
    elements_take(x, t);
  return false;
}

// The same, or they are the numbers of elements.
static bool counts_alike(struct explorer *x, thread_id t, thread_id u) {
  bool had_one = symmetry_of(x)->numbered >> t & 1;
  elements_learn(x, t, u, event_of(&x->g, t, 0)->state,
                 event_of(&x->g, u, 0)->state);
  if (!elements_number(x, t, u))
    return false;
  if (starts_like(x, t, u))
    return true;
  elements_unnumber(x, u);
  if (!had_one)
    elements_unnumber(x, t);
  return false;
}

static bool has_numbered(const struct explorer *x, thread_id t) {
  for (uint32_t k = 0; k < symmetry_of(x)->arrays.len; k++)
    if (symmetry_of(x)->arrays.at[k].function == symmetry_of(x)->function[t])
      return true;
  return false;
}

static bool starts_alike(struct explorer *x, thread_id t, thread_id u) {
  return (!has_numbered(x, u) && starts_like(x, t, u)) ||
         counts_alike(x, t, u) || points_alike(x, t, u);
}

// Of the threads that main created directly before `spawn`, which created u,
// the newest one that starts like u.
static thread_id twin_before(struct explorer *x, event_id spawn, thread_id u) {
  const struct graph *g = &x->g;
  if (g->events[spawn].thread != 0)
    return NO_THREAD;
  for (uint32_t i = g->events[spawn].index; i-- > 0;) {
    const struct event *b = event_of(g, 0, i);
    if (b->kind != EV_SPAWN)
      return NO_THREAD;
    if (starts_alike(x, b->loc, u))
      return b->loc;
  }
  return NO_THREAD;
}

// ---- do steps commute with renaming?

static struct known_step *slot_of(const struct symmetry *s,
                                  struct known_step k) {
  uint64_t h = hash_u64(k.value ^ (uint64_t)k.pre << 32 ^ k.undef);
  uint32_t at = (uint32_t)h & (s->cap - 1);
  while (s->steps[at].pre &&
         (s->steps[at].pre != k.pre || s->steps[at].value != k.value ||
          s->steps[at].undef != k.undef))
    at = (at + 1) & (s->cap - 1);
  return &s->steps[at];
}

static void grow(struct symmetry *s) {
  struct known_step *old = s->steps;
  uint32_t n = s->cap;
  s->cap = n ? 2 * n : 256;
  s->steps = xcalloc(s->cap, sizeof *s->steps);
  for (uint32_t i = 0; i < n; i++)
    if (old[i].pre)
      *slot_of(s, old[i]) = old[i];
  free(old);
}

// True: it is new.
static bool note_step(struct symmetry *s, struct known_step k) {
  if (2 * s->len >= s->cap)
    grow(s);
  struct known_step *at = slot_of(s, k);
  if (at->pre)
    return false;
  *at = k;
  s->len++;
  return true;
}

struct step {
  struct explorer *x;
  struct known_step from;
  state_id next;
  uint32_t size;        // of the value
  uint64_t names, used; // threads to be renamed; names that were given
  uint64_t tried;
  struct vm_renaming r;
  state_id there; // where it leads instead, if it does not commute with r
};

static bool commutes_with(struct step *k) {
  struct vm *vm = k->x->vm;
  state_id pre = vm_rename(vm, k->from.pre, &k->r);
  state_id next = vm_rename(vm, k->next, &k->r);
  if (!pre || !next)
    return false;
  uint64_t value = vm_rename_value(vm, k->from.value, k->size, &k->r);
  state_id there = k->there = vm_step_undef(vm, pre, value, k->from.undef);
  const struct access *a = vm_access(vm, next), *b = vm_access(vm, there);
  // Messages of errors may say who it was.
  return next == there ||
         (a->kind == ACC_ERROR && b->kind == ACC_ERROR && a->value == b->value);
}

// Tries all ways to rename the threads of `rest`, after those that were.
static bool commutes_with_all(struct step *k, uint64_t rest) {
  if (!rest)
    return ++k->tried <= MAX_RENAMINGS && commutes_with(k);
  unsigned t = (unsigned)__builtin_ctzll(rest);
  bool ok = true;
  for (uint64_t to = symmetry_of(k->x)->group[t] & ~k->used; ok && to;
       to &= to - 1) {
    unsigned u = (unsigned)__builtin_ctzll(to);
    k->r.to[t] = (uint8_t)u;
    k->used |= UINT64_C(1) << u;
    ok = commutes_with_all(k, rest & (rest - 1));
    k->used &= ~(UINT64_C(1) << u);
  }
  if (ok)
    k->r.to[t] = (uint8_t)t;
  return ok;
}

// Main creates threads, perhaps with elements, but keeps no pointer to these:
// then it is the same whatever names the threads have (elements.c).
static bool spawn_names_none(const struct explorer *x, const struct event *e) {
  bool creates_more = vm_access(x->vm, e->state)->kind == ACC_SPAWN;
  uint64_t names = vm_names_apart(x->vm, e->pre) |
                   (creates_more ? vm_names_apart(x->vm, e->state)
                                 : vm_names(x->vm, e->state));
  return !(names & x->grouped);
}

// Where the step leads, also if the thread stops there, in an await or since it
// has failed to no purpose. 0: it waits for a lock, or has ended.
static state_id state_after(struct explorer *x, const struct event *e) {
  bool has_stopped =
      !e->state &&
      (e->kind == EV_READ || e->kind == EV_WRITE || e->kind == EV_FENCE) &&
      (e->flags & (EVF_AWAIT | EVF_RETRY));
  return has_stopped ? vm_step_undef(x->vm, e->pre, event_yield(e),
                                     explore_undef_of(x->vm, &x->g, e))
                     : e->state;
}

// The step of thread t does not: since it goes to an element of an array whose
// number it has?
static bool learns_from(const struct step *k, thread_id t) {
  thread_id u = k->r.to[t];
  return u != t && k->there && elements_learn(k->x, t, u, k->next, k->there);
}

static bool step_commutes(struct explorer *x, const struct event *e) {
  struct symmetry *s = symmetry_of(x);
  state_id next = state_after(x, e);
  if (!next)
    return true;
  struct step k = {
      .x = x,
      .from = {event_yield(e), e->pre, explore_undef_of(x->vm, &x->g, e)},
      .next = next,
      .size = is_access(e) ? vm_location(x->vm, e->loc)->size : 8,
      .r = no_renaming(x)};
  if (e->pre >= x->g.transient_states || next >= x->g.transient_states)
    return false;
  if (e->kind == EV_SPAWN && e->thread == 0)
    return spawn_names_none(x, e);
  if (!note_step(s, k.from))
    return true;
  k.names =
      (vm_names(x->vm, e->pre) | vm_value_names(x->vm, k.from.value, k.size)) &
      x->grouped;
  if (vm_names(x->vm, next) & x->grouped & ~k.names)
    return false;
  vm_try_begin(x->vm);
  bool ok = !k.names || commutes_with_all(&k, k.names);
  vm_try_end(x->vm);
  if (!ok && learns_from(&k, e->thread)) {
    symmetry_forget(x);
    x->restart |= RESTART;
  }
  return ok;
}

// ---- what is not a step of one thread

bool equal_are_split(const struct explorer *x, uint64_t threads) {
  const struct symmetry *s = symmetry_of(x);
  for (thread_id t = 1; x->grouped && t < x->g.nthreads; t++)
    if (graph_thread_length(&x->g, t) && s->before[t] != NO_THREAD &&
        ((threads >> t ^ threads >> s->before[t]) & 1))
      return true;
  return false;
}

static uint64_t joined_threads(const struct graph *g) {
  uint64_t joined = 0;
  for (thread_id t = 1; t < g->nthreads; t++)
    if (graph_thread_length(g, t) && g->threads[t].join != NO_EVENT)
      joined |= UINT64_C(1) << t;
  return joined;
}

// The word of a lock says who has it, so only locks may look at it.
static bool reads_owner(const struct graph *g, const struct event *e) {
  if (e->kind != EV_READ || (e->flags & EVF_LOCK) || e->rf == INIT_EVENT)
    return false;
  const struct event *w = &g->events[e->rf];
  return (w->flags & EVF_EXCLUSIVE) &&
         (event_of(g, w->thread, w->index - 1)->flags & EVF_LOCK) &&
         event_of(g, w->thread, w->index - 1)->kind == EV_READ;
}

// Is the result of the thread its argument, whichever it is? (Not by chance.)
static bool returns_argument(struct explorer *x, const struct event *end) {
  thread_id t = end->thread;
  uint64_t others = symmetry_of(x)->group[t] & ~(UINT64_C(1) << t);
  if (!others || end->value != symmetry_of(x)->argument[t])
    return false;
  thread_id u = (thread_id)__builtin_ctzll(others);
  struct vm_renaming r = no_renaming(x);
  r.to[t] = (uint8_t)u;
  r.to[u] = (uint8_t)t;
  state_id s = vm_rename(x->vm, end->pre, &r);
  return s && vm_access(x->vm, s)->value == symmetry_of(x)->argument[u];
}

// All end with the same result, or each with its argument.
static bool ends_differ(struct explorer *x, const struct event *end) {
  const struct graph *g = &x->g;
  uint64_t group = symmetry_of(x)->group[end->thread];
  const uint64_t *argument = symmetry_of(x)->argument;
  bool is_own = returns_argument(x, end);
  if (!is_own && (vm_value_names(x->vm, end->value, 8) & x->grouped))
    return true;
  for (uint64_t rest = group; rest; rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    if (t >= g->nthreads || !graph_thread_length(g, t))
      continue;
    const struct event *last = &g->events[graph_tail(g, t)];
    if (last->kind == EV_END && last->value != end->value &&
        !(is_own && last->value == argument[t]))
      return true;
  }
  return false;
}

// Would main go on otherwise if the thread that it joins had ended as u did?
static bool looks_at_result(struct explorer *x, const struct event *join,
                            thread_id u) {
  const struct event *end = &x->g.events[graph_tail(&x->g, u)];
  if (end->kind != EV_END || end->value == join->value)
    return false;
  return join->pre >= x->g.transient_states ||
         explore_undef_of(x->vm, &x->g, join) != UNDEF_NONE ||
         vm_undef(x->vm, end->pre) != UNDEF_NONE ||
         vm_guess(x->vm, join->pre, end->value) !=
             vm_guess(x->vm, join->pre, join->value);
}

// Threads of a group have ended otherwise than t: has main looked? (It is asked
// whenever a thread ends or is joined, so of all pairs of a join and an end.
// Only main joins threads of a group.)
static bool results_are_told(struct explorer *x, thread_id t) {
  const struct graph *g = &x->g;
  uint64_t group = symmetry_of(x)->group[t];
  for (uint64_t joined = group; joined; joined &= joined - 1)
    for (uint64_t ended = group; ended; ended &= ended - 1) {
      thread_id a = (thread_id)__builtin_ctzll(joined),
                b = (thread_id)__builtin_ctzll(ended);
      if (a < g->nthreads && b < g->nthreads && graph_thread_length(g, a) &&
          graph_thread_length(g, b) && g->threads[a].join != NO_EVENT &&
          looks_at_result(x, &g->events[g->threads[a].join], b))
        return true;
    }
  return false;
}

static bool tells_results(struct explorer *x, const struct event *e) {
  if (e->kind != EV_END && e->kind != EV_JOIN)
    return false;
  const struct event *end = e->kind == EV_END ? e : &x->g.events[e->rf];
  return (x->grouped >> end->thread & 1) && ends_differ(x, end) &&
         results_are_told(x, end->thread);
}

// Of what belongs to threads of groups, a thread begins with its own alone.
static bool starts_with_others(const struct explorer *x,
                               const struct event *start) {
  return vm_names(x->vm, start->state) & x->grouped &
         ~(UINT64_C(1) << start->thread);
}

// What speaks against the symmetry, of all that the event shows? NULL: nothing.
static const char *why_not(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if (e->kind == EV_START)
    return starts_with_others(x, e)
               ? "a thread begins with what is an equal thread's own"
               : NULL;
  bool is_member = x->grouped >> e->thread & 1;
  bool is_joining = e->kind == EV_JOIN;
  if (e->thread == 0 && !is_joining && e->index &&
      event_of(&x->g, 0, e->index - 1)->kind == EV_JOIN &&
      equal_are_split(x, joined_threads(&x->g)))
    return "main does something between joins of equal threads";
  if (e->thread != 0 && (is_joining || e->kind == EV_DETACH ||
                         (e->kind == EV_SPAWN && is_member)))
    return "equal threads create or join others";
  if (tells_results(x, e))
    return "main looks at the different results of equal threads";
  if (reads_owner(&x->g, e))
    return "the word of a lock is read";
  if (e->kind == EV_ANSWER)
    return "a thread asks for the time, or for sizes of objects";
  if (e->kind == EV_READ && e->rf == INIT_EVENT &&
      (vm_value_names(x->vm, e->value, vm_location(x->vm, e->loc)->size) &
       x->grouped))
    return "memory begins with a pointer to what is a thread's own";
  return step_commutes(x, e) ? NULL : "a thread can tell equal threads apart";
}

enum outcome equal_ask(struct explorer *x, event_id id) {
  const char *why = why_not(x, id);
  if (!why)
    return GO_ON;
  return x->restart ? STOP : symmetry_refute(x, why);
}

// ---- a thread has started

// What was there before its group was, or had grown: of main, what it did since
// it began to create threads in a row. (What it did before that is the same
// whatever names they have: elements.c asks for its writes, and
// spawn_names_none for what it has kept.)
static enum outcome ask_all_before(struct explorer *x, event_id spawn) {
  const struct graph *g = &x->g;
  uint32_t row = g->events[spawn].index;
  while (event_of(g, 0, row - 1)->kind == EV_SPAWN)
    row--;
  for (event_id id = g->events[INIT_EVENT].next; id != spawn;
       id = g->events[id].next)
    if ((g->events[id].thread || g->events[id].index >= row) &&
        equal_ask(x, id) == STOP)
      return STOP;
  return GO_ON;
}

enum outcome symmetry_look_at_start(struct explorer *x, thread_id u) {
  struct symmetry *s = symmetry_of(x);
  event_id spawn = x->g.events[x->g.last].rf;
  const struct access *created = vm_access(x->vm, x->g.events[spawn].pre);
  s->function[u] = created->value;
  s->argument[u] = created->value2;
  thread_id t = twin_before(x, spawn, u);
  s->before[u] = t;
  if (t == NO_THREAD)
    return GO_ON;
  uint64_t group =
      s->group[t] | s->group[u] | UINT64_C(1) << t | UINT64_C(1) << u;
  if (group == s->group[u])
    return GO_ON;
  forget_steps(s); // they were asked without this thread
  x->grouped |= group;
  for (uint64_t rest = group; rest; rest &= rest - 1) {
    thread_id v = (thread_id)__builtin_ctzll(rest);
    s->group[v] = group;
    if (v < x->g.nthreads && graph_thread_length(&x->g, v) > 1)
      return symmetry_refute(
          x, "a thread of a group was created after others ran");
  }
  return ask_all_before(x, spawn);
}

// ---- when nothing can run

static uint64_t ended_threads(const struct graph *g) {
  uint64_t ended = 0;
  for (thread_id t = 1; t < g->nthreads; t++)
    if (graph_thread_length(g, t) && g->events[graph_tail(g, t)].kind == EV_END)
      ended |= UINT64_C(1) << t;
  return ended;
}

// Main joins thread t in state s, and one of these has its place: where is main
// then? 0: that depends on which of them it is.
static state_id join_one_of(struct explorer *x, state_id s, thread_id t,
                            uint64_t ended) {
  state_id next = 0;
  for (uint64_t rest = ended; rest; rest &= rest - 1) {
    thread_id u = (thread_id)__builtin_ctzll(rest);
    const struct event *end = &x->g.events[graph_tail(&x->g, u)];
    uint64_t result =
        returns_argument(x, end) ? symmetry_of(x)->argument[t] : end->value;
    state_id other = vm_guess(x->vm, s, result);
    if (vm_undef(x->vm, end->pre) != UNDEF_NONE || (next && next != other))
      return 0;
    next = other;
  }
  return next;
}

// If main waits for a thread that will never end, it does not where one that
// has ended has its place. There, too, it must do nothing between joins.
static const char *why_not_at_end(struct explorer *x) {
  const struct graph *g = &x->g;
  uint64_t joined = joined_threads(g), left = ended_threads(g) & ~joined;
  for (state_id s = g->threads[0].state; s;) {
    const struct access *a = vm_access(x->vm, s);
    if (a->kind != ACC_JOIN)
      return equal_are_split(x, joined)
                 ? "main does something between joins of equal threads"
                 : NULL;
    thread_id t = (thread_id)a->value;
    if (a->value >= g->nthreads)
      return NULL;
    uint64_t self = UINT64_C(1) << t;
    uint64_t takers = left & (symmetry_of(x)->group[t] | self);
    if (!takers)
      return NULL;
    s = join_one_of(x, s, t, takers);
    if (!s)
      return "main looks at the different results of equal threads";
    joined |= self;
    left &= ~(takers & self ? self : takers & -takers);
  }
  return NULL;
}

enum outcome equal_ask_at_end(struct explorer *x) {
  const char *why = x->grouped ? why_not_at_end(x) : NULL;
  return why ? symmetry_refute(x, why) : GO_ON;
}
