// SPDX-License-Identifier: MIT
// What is looked for at a new event: memory (lifetime.c), accesses of different
// size, races (race.c), and the rules of locks.
#include "explore/findings/findings.h"
#include "explore/memory/memory.h"

#include <stdio.h>

// An atomic object has to be initialised before it is read [C17, 7.17.2.1],
// whatever becomes of the value.
static enum outcome inspect_first_read(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if (e->kind != EV_READ || e->order == ORD_NA || e->rf != INIT_EVENT ||
      !(e->flags & EVF_UNINIT) || (e->flags & EVF_LOCK))
    return GO_ON;
  struct finding f = error_at(x, FIND_UNINIT_ATOMIC, id);
  snprintf(f.message, sizeof f.message,
           "atomic read of memory to which nothing was written before");
  return error_add(x, f);
}

enum outcome inspect_access(struct explorer *x, event_id id) {
  const struct location *l = vm_location(x->vm, x->g.events[id].loc);
  const struct event *e = &x->g.events[id];
  bool is_in_object = l->object != NO_OBJECT;
  enum outcome o = GO_ON;
  if ((e->flags & (EVF_CAS | EVF_EXCLUSIVE)) == EVF_CAS)
    lifetime_compare(x, id);
  if (!is_in_object && !x->memory.has_thread_locals && !l->overlaps &&
      !x->g.locs.at[e->loc].na && !(e->flags & EVF_UNINIT))
    return GO_ON; // as usual
  if (x->fills.len && fills_are_looked_at(x, id))
    return STOP;
  explore_forget_order(x);
  if (is_in_object || x->memory.has_thread_locals)
    o = lifetime_check_access(x, id);
  if (o == GO_ON && l->overlaps)
    o = mixed_check_overlap(x, id);
  if (o == GO_ON)
    o = race_check_access(x, id);
  if (o == GO_ON && l->overlaps)
    o = mixed_check_order(x, id);
  if (o == GO_ON)
    o = inspect_first_read(x, id);
  // A race with what the object was filled with says more.
  if (o == GO_ON && is_in_object)
    o = lifetime_check_alloc(x, id, l->object);
  return o;
}

enum outcome inspect_lock(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if (!lock_waits(e) ||
      (e->value != e->thread + 1u && e->value != SYNC_DESTROYED))
    return GO_ON;
  bool is_gone = e->value == SYNC_DESTROYED;
  struct finding f = error_at(x, is_gone ? FIND_SYNC_MISUSE : FIND_RELOCK, id);
  error_name_other(x, &f, e->rf);
  snprintf(f.message, sizeof f.message, "lock of a mutex that %s",
           is_gone ? "was destroyed" : "this thread holds already");
  return error_add(x, f);
}

// An unlock must follow the lock of the same thread, in co of the mutex.
enum outcome inspect_unlock(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  event_id before = x->g.locs.at[e->loc].co.at[e->co - 1];
  bool is_uninit;
  uint64_t word = event_value_of(x, e->loc, before, &is_uninit);
  if (word == e->thread + 1u)
    return GO_ON;
  bool is_gone = word == SYNC_DESTROYED;
  struct finding f =
      error_at(x, is_gone ? FIND_SYNC_MISUSE : FIND_UNLOCK_NOT_HELD, id);
  if (before != INIT_EVENT)
    error_name_other(x, &f, before);
  if (is_gone)
    snprintf(f.message, sizeof f.message,
             "unlock of a mutex that was destroyed");
  else if (word == 0)
    snprintf(f.message, sizeof f.message, "unlock of a mutex that is not held");
  else
    snprintf(f.message, sizeof f.message,
             "unlock of a mutex that thread %llu holds",
             (unsigned long long)word - 1);
  return error_add(x, f);
}

static enum outcome inspect_event(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  enum outcome o = is_access(e) ? inspect_access(x, id) : GO_ON;
  if (o == GO_ON && e->kind == EV_FREE)
    o = lifetime_check_free(x, id);
  if (o == GO_ON && e->kind == EV_END)
    o = lifetime_check_end(x, id);
  if (o == GO_ON && e->kind == EV_READ)
    o = inspect_lock(x, id);
  if (o == GO_ON && e->kind == EV_WRITE && (e->flags & EVF_UNLOCK))
    o = inspect_unlock(x, id);
  return o;
}

enum outcome inspect_all(struct explorer *x) {
  enum outcome o = GO_ON;
  for (event_id e = x->g.events[INIT_EVENT].next; o == GO_ON && e != NO_EVENT;
       e = x->g.events[e].next)
    o = inspect_event(x, e);
  return o;
}
