// SPDX-License-Identifier: MIT
// Critical sections that have nothing to do with each other: in which order
// threads take a mutex is not explored if no thread can tell.
//
// Two threads *conflict* if both access a location, one of them writes it, and
// neither creation nor join of threads orders the two accesses; the word of a
// mutex does not count, as long as it is only locked and unlocked; the end of
// an object's life counts as a write to all of it. As long as no two threads of
// the program conflict, a lock takes the newest write of the mutex, and nothing
// revisits a lock.
//
// Why nothing is lost. If no two threads conflict, each thread reads what it
// wrote itself or what was written before it was created (or by threads that
// were joined), in every order of the sections; so it does the same in all of
// them, and there is no race, and no model has anything to say but that the
// sections have some order. Any order of them exists, since
//   - no section begins in another one, and in a section no thread waits for
//     another one or ends: whoever has a mutex gives it back;
//   - nobody asks for the mutex without waiting for it.
// So one order stands for all; and nothing is met twice, since locks read each
// other in the order in which they were added (as arrivals do, see arrive.c).
//
// Whatever of that does not hold *refutes* it: a conflict, a lock, a wait or an
// end in a section, a lock that has to wait, an unlock by somebody else, a
// thread that does not come to its end. Then the search begins again, with all
// orders of all mutexes. It is met in some graph: until there is a conflict,
// the threads do in all executions what they do in those that are explored.
#include "explore/fewer/fewer.h"
#include "explore/loops/loops.h"

static enum outcome refute(struct explorer *x, const char *why) {
  x->fixes_sections = false;
  x->result.contention = why;
  return STOP;
}

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

// Does the event lock or unlock a mutex, or find it locked?
static bool is_of_mutex(const struct graph *g, const struct event *e) {
  if (e->kind == EV_READ)
    return e->flags & EVF_LOCK;
  if (e->kind != EV_WRITE || !(e->flags & EVF_EXCLUSIVE))
    return e->kind == EV_WRITE && (e->flags & EVF_UNLOCK);
  return g->events[graph_at(g, e->thread, e->index - 1)].flags & EVF_LOCK;
}

// Does somebody conflict with e, a new access or the end of a life, by accesses
// of the location?
static bool has_conflict(const struct graph *g, uint32_t loc,
                         const struct event *e) {
  const struct graph_loc *l = &g->locs.at[loc];
  bool is_mutex = is_access(e) && is_of_mutex(g, e);
  for (uint64_t rest = l->threads & ~(1ull << e->thread); rest;
       rest &= rest - 1) {
    const struct event_list *list = &l->by_thread[__builtin_ctzll(rest)];
    for (uint32_t i = 0; i < list->len; i++) {
      const struct event *b = &g->events[list->at[i]];
      if ((e->kind == EV_READ && b->kind == EV_READ) ||
          (is_mutex && is_of_mutex(g, b)))
        continue;
      if (!are_ordered(g, b, e))
        return true;
    }
  }
  return false;
}

static bool ends_foreign_life(const struct explorer *x, const struct event *e) {
  const struct graph *g = &x->g;
  for (uint32_t loc = 0; loc < g->locs.len; loc++)
    if (g->locs.at[loc].threads && vm_location(x->vm, loc)->object == e->loc &&
        has_conflict(g, loc, e))
      return true;
  const struct event *alloc = &g->events[g->objects.at[e->loc].alloc];
  return !are_ordered(g, alloc, e);
}

static bool is_in_foreign_object(const struct explorer *x,
                                 const struct event *e) {
  object_no o = vm_location(x->vm, e->loc)->object;
  if (o == NO_OBJECT || o >= x->g.objects.len)
    return false;
  const struct graph_object *life = &x->g.objects.at[o];
  return (life->alloc != NO_EVENT &&
          !are_ordered(&x->g, &x->g.events[life->alloc], e)) ||
         (life->free != NO_EVENT &&
          !are_ordered(&x->g, &x->g.events[life->free], e));
}

// Does thread t have a mutex before its event at `index`?
static bool is_inside(const struct graph *g, thread_id t, uint32_t index) {
  while (index-- > 0) {
    const struct event *e = &g->events[graph_at(g, t, index)];
    if (e->kind == EV_WRITE && is_of_mutex(g, e))
      return !(e->flags & EVF_UNLOCK);
  }
  return false;
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

// NULL: nothing that the event shows speaks against it.
static const char *why_not(const struct explorer *x, event_id id) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  if (lock_waits(e))
    return "a thread waits for a mutex";
  if (waits_or_ends(x, e) && is_inside(g, e->thread, e->index))
    return "a thread waits, locks or ends in a critical section";
  if (e->kind == EV_WRITE && (e->flags & EVF_UNLOCK) &&
      !is_inside(g, e->thread, e->index))
    return "a thread unlocks what it has not locked";
  bool conflicts =
      is_access(e) ? has_conflict(g, e->loc, e) || is_in_foreign_object(x, e)
                   : e->kind == EV_FREE && ends_foreign_life(x, e);
  return conflicts ? "threads access the same memory" : NULL;
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
  return why ? refute(x, why) : GO_ON;
}

// Whether somebody waits for ever may depend on who had the mutex last.
enum outcome sections_look_at_end(struct explorer *x) {
  for (thread_id t = 0; t < x->g.nthreads; t++)
    if (graph_thread_length(&x->g, t) &&
        x->g.events[graph_tail(&x->g, t)].kind != EV_END)
      return refute(x, "a thread does not come to its end");
  return GO_ON;
}
