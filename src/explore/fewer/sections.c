// SPDX-License-Identifier: MIT
// Critical sections that have nothing to do with each other: the order of two
// of them is not explored if their threads have nothing but mutexes in common.
//
// Two threads *conflict* if both access a location, one of them writes it, and
// neither creation nor join of threads orders the two accesses; the word of a
// mutex does not count, as long as it is only locked and unlocked; the end of
// an object's life counts as a write to all of it. Threads that conflict belong
// to one *party*, and so do those that conflict with them. Each party gets a
// copy of every mutex (vm_split), so that its threads take their turns among
// themselves. Call that program P', and the one of the user P. We explore P'.
// [LAPOR, OOPSLA'19] leaves the order of two sections open until some conflict
// decides it, and looks for an order at the end; what is done here is less, as
// sections of one party are all ordered, but it asks nothing of the models. The
// argument is our own.
//
// What P does, P' does. Let G be an execution of P. Let each lock read the
// newest unlock of its own party instead. Every thread does what it did, since
// the word was 0 and is 0; fewer events are ordered, so the model allows it;
// and no conflicting accesses are ordered less, since those are of one party,
// whose sections keep their order. So races, lives of objects, values and
// failed assertions are the same, kind and place.
//
// What P' does, P does. Let G' be an execution of P', and let the parties run
// one after the other: the sections of one before those of the next. Each order
// of a model (rf, co, fr, happens-before, barriers) that is new leads from a
// party to a later one, so it is on no cycle, and orders no events of one
// party. This needs two things.
//   - That a party can wait for the others: no creation or join leads from one
//     to another. We ask that main does all of that, first creating and then
//     joining, and takes no mutex while other threads live. Or that every party
//     is one thread: then nobody reads what another one writes, and the
//     sections can have any order that creations and joins leave, one by one.
//   - That mutexes are free when the next party comes: in a section nobody
//     waits, for a lock or in a loop, creates, joins or ends, and nobody is
//     inside when no thread can run any more. So in P, too, whoever has a mutex
//     gives it back, and no deadlock or hang is lost: in an execution of P that
//     cannot go on all mutexes are free, and whoever waits, for something else,
//     does so in that of P'.
// A mutex may be written otherwise, without an order, if that is before all
// that its party does with it or after (pthread_mutex_init and its like): its
// copies begin with what was written last.
//
// Semaphores and read-write locks are mutexes here, if each thread gives back
// what it has taken, and nobody asks for their value. Whoever may pass in G may
// pass with the copy, since the others can only have made that harder: they are
// readers, or have taken from the semaphore, or would have kept everybody out.
// And when all sections of a party are over, the word is what it was, so the
// next party finds what its copy begins with. If such a word is used in another
// way (to signal, say), it is memory like any other, and only mutexes have
// copies: then the search begins again with result.whole_takes.
//
// If an explored graph shows a conflict between parties, they become one, and
// the search begins again. It is met in some graph if P has one: until the
// first access that conflicts all threads do in P' what they do in P, and what
// is done then does not depend on the other party. If one of the conditions
// above does not hold, the search begins again with P itself (*refuted*).
//
// Equal threads (symmetry.c) are of one party, or each of them is one; whoever
// conflicts with one of them conflicts with all. So P' is as symmetric as P,
// where the copy of a party of one is the thread's own.
//
// What is shown to the user is an execution of P (merge.c). Where po ∪ rf may
// have cycles none is built: if there is something to show, the search begins
// again with P.
#include "explore/fewer/fewer.h"

#include <string.h>

// Explored with all orders from now on.
static enum outcome refute(struct explorer *x, const char *why) {
  x->fixes_sections = false;
  x->result.contention = why;
  x->again |= AGAIN | AGAIN_STATES;
  return STOP;
}

// The same, or with those of semaphores and read-write locks, if there are
// some.
static enum outcome refuse(struct explorer *x, const char *why) {
  if (!x->has_takes || x->result.whole_takes)
    return refute(x, why);
  x->result.whole_takes = true;
  x->again |= AGAIN | AGAIN_STATES;
  return STOP;
}

bool sections_suit(const struct explore_config *c) {
  return !model_guesses(c->model) && model_builtin(c->model) &&
         !c->model->filters && !c->model_options.c11_release_sequences &&
         !c->read_bound && !reduces(c, REDUCE_NET_ROUNDS);
}

bool sections_are_possible(const struct explore_config *c) {
  bool may_begin_again = !c->on_execution || c->on_begin_again || c->team;
  return reduces(c, REDUCE_SECTIONS) && sections_suit(c) && may_begin_again &&
         !(c->model->tracks_dependencies && c->on_execution);
}

enum outcome sections_hide(struct explorer *x) {
  return refute(x, "something was found, and is looked for again");
}

// ---- parties

// The first thread of the party.
static thread_id party_of(const uint8_t *joined, thread_id t) {
  return joined[t] ? joined[t] - 1u : t;
}

bool parties_unite(uint8_t *joined, thread_id t, thread_id u) {
  thread_id a = party_of(joined, t), b = party_of(joined, u);
  if (a == b)
    return false;
  thread_id first = a < b ? a : b, second = a < b ? b : a;
  for (thread_id v = 0; v < MAX_THREADS; v++)
    if (party_of(joined, v) == second)
      joined[v] = (uint8_t)(first + 1);
  return true;
}

void parties_unite_all(uint8_t *joined, const uint8_t *others) {
  for (thread_id t = 0; t < MAX_THREADS; t++)
    parties_unite(joined, t, party_of(others, t));
}

thread_id sections_party(const struct explorer *x, thread_id t) {
  return party_of(x->result.parties, t);
}

// All threads that are equal to t, and t: what one does, all may do.
static uint64_t equals_of(const struct explorer *x, thread_id t) {
  return x->symmetry.group[t] | UINT64_C(1) << t;
}

// The parties of the two threads have become one.
static void unite(struct explorer *x, thread_id t, thread_id u) {
  for (uint64_t all = equals_of(x, t) | equals_of(x, u); all; all &= all - 1)
    x->has_new_parties |=
        parties_unite(x->result.parties, t, (thread_id)__builtin_ctzll(all));
}

// Main aside, are all threads of one party? Then there is nothing to win.
static bool is_one_party(const struct explorer *x) {
  for (thread_id t = 2; t < x->threads.len && t < MAX_THREADS; t++)
    if (sections_party(x, t) != sections_party(x, 1))
      return false;
  return true;
}

static bool is_party_of_one(const struct explorer *x, thread_id t) {
  for (thread_id u = 0; u < MAX_THREADS; u++)
    if (u != t && sections_party(x, u) == sections_party(x, t))
      return false;
  return true;
}

enum outcome sections_look_at_group(struct explorer *x, uint64_t group) {
  bool are_alone = true;
  for (uint64_t rest = group; rest; rest &= rest - 1)
    are_alone &= is_party_of_one(x, (thread_id)__builtin_ctzll(rest));
  thread_id first = (thread_id)__builtin_ctzll(group);
  if (!x->fixes_sections || are_alone)
    return GO_ON;
  unite(x, first, first);
  if (!x->has_new_parties)
    return GO_ON;
  x->again |= AGAIN | AGAIN_STATES;
  return STOP;
}

static bool are_all_alone(const struct explorer *x) {
  for (thread_id t = 0; t < MAX_THREADS; t++)
    if (!is_party_of_one(x, t))
      return false;
  return true;
}

void sections_begin(struct explorer *x) {
  uint8_t copies[MAX_THREADS] = {0};
  for (thread_id t = 0; x->fixes_sections && t < MAX_THREADS; t++)
    copies[t] = (uint8_t)(sections_party(x, t) + 1);
  x->has_sections = x->has_new_parties = x->has_takes = false;
  x->mutexes.len = 0;
  x->is_split = x->fixes_sections;
  vm_split(x->vm, copies, !x->result.whole_takes);
}

// ---- what creation and join order

// Is `a` before the event of thread t at `index` by po, creation and join?
static bool is_earlier(const struct graph *g, const struct event *a,
                       thread_id t, uint32_t index) {
  if (a->thread == t)
    return a->index < index;
  for (uint32_t i = index; i-- > 1;) {
    const struct event *e = &g->events[graph_at(g, t, i)];
    if (e->kind == EV_JOIN &&
        is_earlier(g, a, e->loc, graph_thread_length(g, e->loc)))
      return true;
  }
  event_id spawn = g->events[graph_at(g, t, 0)].rf;
  return spawn != NO_EVENT &&
         is_earlier(g, a, g->events[spawn].thread, g->events[spawn].index);
}

static bool are_ordered(const struct graph *g, const struct event *a,
                        const struct event *b) {
  return is_earlier(g, a, b->thread, b->index) ||
         is_earlier(g, b, a->thread, a->index);
}

// ---- conflicts

// Unites the thread of e, a new access or the end of a life, with whoever
// conflicts with it by accesses of the location.
static void unite_with_users(struct explorer *x, uint32_t loc,
                             const struct event *e) {
  const struct graph *g = &x->g;
  const struct graph_loc *l = &g->locs.at[loc];
  for (uint64_t rest = l->threads & ~(1ull << e->thread); rest;
       rest &= rest - 1) {
    thread_id u = (thread_id)__builtin_ctzll(rest);
    const struct event_list *list = &l->by_thread[u];
    for (uint32_t i = 0; i < list->len; i++) {
      if (sections_party(x, u) == sections_party(x, e->thread))
        break;
      const struct event *b = &g->events[list->at[i]];
      if ((e->kind != EV_READ || b->kind != EV_READ) && !are_ordered(g, b, e))
        unite(x, e->thread, u);
    }
  }
}

static void unite_unordered(struct explorer *x, event_id a,
                            const struct event *e) {
  if (a != NO_EVENT && !are_ordered(&x->g, &x->g.events[a], e))
    unite(x, e->thread, x->g.events[a].thread);
}

static void look_at_end_of_life(struct explorer *x, const struct event *e) {
  for (uint32_t loc = 0; loc < x->g.locs.len; loc++)
    if (x->g.locs.at[loc].threads && vm_location(x->vm, loc)->object == e->loc)
      unite_with_users(x, loc, e);
  unite_unordered(x, x->g.objects.at[e->loc].alloc, e);
}

static void look_at_access(struct explorer *x, const struct event *e) {
  unite_with_users(x, e->loc, e);
  for (loc_id l = vm_next_overlap(x->vm, e->loc, NO_LOC); l != NO_LOC;
       l = vm_next_overlap(x->vm, e->loc, l))
    if (l < x->g.locs.len)
      unite_with_users(x, l, e);
  object_no o = vm_location(x->vm, e->loc)->object;
  if (o == NO_OBJECT || o >= x->g.objects.len)
    return;
  unite_unordered(x, x->g.objects.at[o].alloc, e);
  unite_unordered(x, x->g.objects.at[o].free, e);
}

// ---- mutexes

static bool is_of_copy(const struct explorer *x, const struct event *e) {
  return is_access(e) && vm_location(x->vm, e->loc)->copied != NO_LOC;
}

bool sections_are_left(const struct explorer *x, const struct event *write) {
  if (write->flags & EVF_UNLOCK)
    return true;
  event_id read = graph_at(&x->g, write->thread, write->index - 1);
  const struct access *a = vm_access(x->vm, x->g.events[read].pre);
  return a->kind == ACC_RMW_READ && (a->flags & ACCF_GIVES);
}

// The copy of a mutex that thread t has before its event at `index`, or NO_LOC.
static loc_id held_by(const struct explorer *x, thread_id t, uint32_t index) {
  while (index-- > 0) {
    const struct event *e = &x->g.events[graph_at(&x->g, t, index)];
    if (e->kind == EV_WRITE && is_of_copy(x, e))
      return sections_are_left(x, e) ? NO_LOC : e->loc;
  }
  return NO_LOC;
}

static bool is_inside(const struct explorer *x, thread_id t, uint32_t index) {
  return held_by(x, t, index) != NO_LOC;
}

// Must the event not happen in a section?
static bool waits_or_ends(const struct explorer *x, const struct event *e) {
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    return (e->flags & (EVF_LOCK | EVF_SPIN)) ||
           vm_access(x->vm, e->pre)->kind == ACC_TAKE;
  case EV_SPAWN:
  case EV_JOIN:
  case EV_DETACH:
  case EV_END:
    return true;
  default:
    return false;
  }
}

// Is event e, of the mutex itself, before everything that was done with the
// copy?
static bool is_before_copy(const struct explorer *x, const struct event *e,
                           loc_id copy) {
  const struct graph_loc *l = &x->g.locs.at[copy];
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    if (!is_earlier(&x->g, e, t, x->g.events[l->by_thread[t].at[0]].index))
      return false;
  }
  return true;
}

static bool is_after_copy(const struct explorer *x, const struct event *e,
                          loc_id copy) {
  const struct graph_loc *l = &x->g.locs.at[copy];
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    const struct event_list *list = &l->by_thread[__builtin_ctzll(rest)];
    if (!is_earlier(&x->g, &x->g.events[list->at[list->len - 1]], e->thread,
                    e->index))
      return false;
  }
  return true;
}

// A mutex is locked or unlocked: is all else that was done with it what may be?
static bool is_clean(struct explorer *x, const struct event *e) {
  loc_id mutex = vm_location(x->vm, e->loc)->copied;
  while (x->mutexes.len <= mutex)
    array_push(&x->mutexes, false);
  x->mutexes.at[mutex] = true;
  if (vm_location(x->vm, mutex)->overlaps)
    return false;
  uint64_t users = mutex < x->g.locs.len ? x->g.locs.at[mutex].threads : 0;
  if (users & (users - 1))
    return false; // several threads
  if (!users)
    return true;
  const struct event_list *list =
      &x->g.locs.at[mutex].by_thread[__builtin_ctzll(users)];
  for (uint32_t i = 0; i < list->len; i++) {
    const struct event *b = &x->g.events[list->at[i]];
    if (b->order != ORD_NA || !is_before_copy(x, b, e->loc))
      return false;
  }
  return true;
}

// The same, where the event is an access of the mutex itself. (In a section it
// would not see that the mutex is taken.)
static bool is_clean_access(const struct explorer *x, const struct event *e) {
  if (e->loc >= x->mutexes.len || !x->mutexes.at[e->loc])
    return true;
  bool is_clean = e->order == ORD_NA && !is_inside(x, e->thread, e->index);
  for (loc_id l = 0; is_clean && l < x->g.locs.len; l++)
    if (x->g.locs.at[l].threads && vm_location(x->vm, l)->copied == e->loc)
      is_clean = is_after_copy(x, e, l);
  return is_clean;
}

bool sections_are_clean(struct explorer *x, const struct event *e) {
  return is_of_copy(x, e) ? is_clean(x, e)
                          : !is_access(e) || is_clean_access(x, e);
}

// Does a path of creations and joins lead from a thread that may take mutexes
// to another one?
static bool is_path(const struct explorer *x, const struct event *e) {
  bool has_joined = false, has_living = false;
  for (thread_id t = 1; t < x->g.nthreads; t++)
    if (graph_thread_length(&x->g, t)) {
      bool is_joined = x->g.threads[t].join != NO_EVENT;
      has_joined |= is_joined;
      has_living |= !is_joined;
    }
  switch ((enum event_kind)e->kind) {
  case EV_SPAWN:
    return e->thread != 0 || has_joined;
  case EV_JOIN:
    return e->thread != 0;
  default:
    return e->thread == 0 && has_living && is_of_copy(x, e);
  }
}

// ---- what is asked

// NULL: nothing that the event shows speaks against it.
static const char *why_not(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  bool is_mutex = is_of_copy(x, e);
  if (waits_or_ends(x, e) && is_inside(x, e->thread, e->index))
    return "a thread waits, locks or ends in a critical section";
  if (!sections_are_clean(x, e))
    return "a mutex is used in other ways than to lock and unlock it";
  x->has_takes |=
      is_mutex && !(e->flags & (EVF_LOCK | EVF_UNLOCK)) && e->kind == EV_READ;
  if (is_mutex && e->kind == EV_WRITE && sections_are_left(x, e) &&
      held_by(x, e->thread, e->index) != e->loc)
    return "a thread unlocks what it has not locked";
  if ((is_mutex || e->kind == EV_SPAWN || e->kind == EV_JOIN) &&
      is_path(x, e) && !are_all_alone(x))
    return "threads with mutexes create or join others";
  if (is_access(e) && !is_mutex)
    look_at_access(x, e);
  else if (e->kind == EV_FREE)
    look_at_end_of_life(x, e);
  return NULL;
}

static enum outcome conclude(struct explorer *x, const char *why) {
  if (why)
    return refuse(x, why);
  if (x->has_new_parties && is_one_party(x))
    return refute(x, "threads access the same memory");
  if (!x->has_new_parties)
    return GO_ON;
  x->again |= AGAIN | AGAIN_STATES;
  return STOP;
}

enum outcome sections_look(struct explorer *x) {
  const struct graph *g = &x->g;
  bool is_first = !x->has_sections;
  const char *why = NULL;
  event_id id = is_first ? g->events[INIT_EVENT].next : g->last;
  if (!is_first && g->events[id].kind == EV_START)
    id = g->events[id].prev; // they come together
  x->has_sections = true;
  for (; !why && id != NO_EVENT; id = g->events[id].next)
    why = why_not(x, id);
  x->result.sections++;
  return conclude(x, why);
}

void sections_note_stop(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if (is_inside(x, e->thread, e->index))
    refuse(x, "a thread waits in a critical section");
}

// Is a thread that cannot go on in a section?
enum outcome sections_look_at_end(struct explorer *x) {
  const char *why = NULL;
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    uint32_t n = graph_thread_length(&x->g, t);
    if (n && x->g.events[graph_tail(&x->g, t)].kind != EV_END &&
        is_inside(x, t, n))
      why = "a thread does not come to the end of a critical section";
  }
  return conclude(x, why);
}

// ---- how many orders one stands for

static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

// Sections of mutexes do not overlap; of others that is not known.
static uint32_t count_turns(const struct explorer *x, loc_id copy) {
  const struct event_list *co = &x->g.locs.at[copy].co;
  uint32_t n = 0;
  for (uint32_t i = 1; i < co->len; i++)
    n += !(x->g.events[co->at[i]].flags & EVF_UNLOCK);
  return n;
}

// Of each mutex, the orders of all sections that keep those of each party: a
// product of binomial coefficients, one factor per section. Each division
// leaves no remainder. (If parties share several mutexes, some orders of one
// may not go with some of another.)
uint64_t sections_orders(const struct explorer *x) {
  uint64_t product = 1;
  for (loc_id mutex = 0; x->is_split && mutex < x->mutexes.len; mutex++) {
    uint64_t all = 0;
    for (loc_id l = 0; x->mutexes.at[mutex] && l < x->g.locs.len; l++) {
      uint32_t n =
          vm_location(x->vm, l)->copied == mutex ? count_turns(x, l) : 0;
      for (uint32_t i = 1; i <= n && product != UINT64_MAX; i++) {
        product = times(product, ++all);
        product = product == UINT64_MAX ? product : product / i;
      }
    }
  }
  return product;
}
