// SPDX-License-Identifier: MIT
// Which thread is next. The answer is a function of the graph alone: that is
// what lets a graph be found again from the one after a revisit (revisit.c).
#include "explore/cycles/justify/justify.h"
#include "explore/findings/findings.h"

// Is the program over with this end of a thread, by exit or as main returned?
static bool ends_program(const struct explorer *x, const struct event *end) {
  return (end->flags & EVF_EXIT) ||
         (end->thread == 0 && !x->config.joins_all &&
          !(vm_access(x->vm, end->pre)->flags & ACCF_EARLY));
}

bool schedule_ends_program(const struct explorer *x, thread_id t) {
  const struct event *last = &x->g.events[graph_tail(&x->g, t)];
  return last->kind == EV_END && ends_program(x, last);
}

void schedule_begin(struct explorer *x) {
  x->g.moved = UINT64_MAX;
  x->may_hold_back = explore_stops_at_end(x);
}

static bool is_held_back(const struct explorer *x, thread_id t,
                         const struct access *a) {
  if (hooks_holds_back(x, t))
    return true;
  return x->may_hold_back && !pause_passes(x, x->g.threads[t].state) &&
         (a->kind == ACC_ERROR || misuse_is_next(x, t));
}

static bool can_join(const struct explorer *x, thread_id t, uint64_t whom) {
  if (whom >= x->g.nthreads || whom == t)
    return true; // the step reports it
  const struct event_list *l = &x->g.threads[whom].events;
  const struct event *last = l->len ? &x->g.events[l->at[l->len - 1]] : NULL;
  return !last || (last->kind == EV_END && !ends_program(x, last));
}

// Can thread t, whose next access is `a`, add an event now?
static inline bool can_run(const struct explorer *x, thread_id t,
                           const struct access *a) {
  bool may_hold_back = x->may_hold_back || x->hooks.holds_back[0];
  if (a->kind == ACC_BLOCK || a->kind == ACC_CUT ||
      (may_hold_back && is_held_back(x, t, a)))
    return false;
  return a->kind != ACC_JOIN || can_join(x, t, a->value);
}

// Where co does not count: would the access wait with the last write of each
// thread? (One that finds a lock held by any.)
static bool would_wait_with_all(struct explorer *x, state_id s,
                                const struct access *a) {
  const struct graph_loc *l =
      a->loc < x->g.locs.len ? &x->g.locs.at[a->loc] : NULL;
  bool is_uninit, waits = a->kind != ACC_LOCK_READ, is_written = false;
  const struct access now = *a;
  vm_try_begin(x->vm);
  for (uint64_t rest = l ? l->threads : 0; rest; rest &= rest - 1) {
    const struct event_list *list = &l->by_thread[__builtin_ctzll(rest)];
    uint32_t i = list->len;
    while (i && x->g.events[list->at[i - 1]].kind != EV_WRITE)
      i--;
    if (!i)
      continue;
    is_written = true;
    uint64_t value = event_value_of(x, now.loc, list->at[i - 1], &is_uninit);
    if (now.kind == ACC_LOCK_READ)
      waits |= value != 0;
    else
      waits &= !is_uninit && vm_step(x->vm, s, value) == s;
  }
  if (!is_written) {
    uint64_t value = event_value_of(x, now.loc, INIT_EVENT, &is_uninit);
    waits = now.kind == ACC_LOCK_READ
                ? value != 0
                : !is_uninit && vm_step(x->vm, s, value) == s;
  }
  vm_try_end(x->vm);
  return waits;
}

// The same with the newest write.
static bool would_wait_with_newest(struct explorer *x, state_id s,
                                   const struct access *a) {
  if (explore_ignores_co(x))
    return would_wait_with_all(x, s, a);
  // A location that no graph has had so far must not make a difference.
  event_id write = INIT_EVENT;
  if (a->loc < x->g.locs.len) {
    const struct event_list *co = &x->g.locs.at[a->loc].co;
    write = co->at[co->len - 1];
  }
  bool is_uninit;
  uint64_t newest = event_value_of(x, a->loc, write, &is_uninit);
  if (a->kind == ACC_LOCK_READ)
    return newest != 0;
  vm_try_begin(x->vm);
  bool stays = !is_uninit && vm_step(x->vm, s, newest) == s;
  vm_try_end(x->vm);
  return stays;
}

// Would thread t have to wait at once? Such a step is put off: what it waits
// for may come, and then nothing has to be revisited.
static inline bool would_wait(struct explorer *x, thread_id t,
                              const struct access *a) {
  if (x->hooks.puts_off && x->hooks.puts_off(x, t))
    return true;
  return (a->kind == ACC_READ || a->kind == ACC_LOCK_READ ||
          a->kind == ACC_CAS_READ || a->kind == ACC_TAKE) &&
         would_wait_with_newest(x, x->g.threads[t].state, a);
}

// Does thread t end next, with a result that is not 0?
static bool has_result(thread_id t, const struct access *a) {
  return t && access_is_end(a, t) && a->value;
}

// Looks at the next accesses of those threads that have moved.
static void sort_threads(struct explorer *x) {
  struct graph *g = &x->g;
  uint64_t moved = g->moved & 1 ? UINT64_MAX : g->moved;
  x->at.end &= ~moved;
  x->at.update &= ~moved;
  x->at.block &= ~moved;
  x->at.read &= ~moved;
  x->at.result &= ~moved;
  for (uint64_t rest = moved & g->active; rest; rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    uint64_t bit = UINT64_C(1) << t;
    const struct access *a = vm_access(x->vm, g->threads[t].state);
    if (access_goes_on(a))
      x->at.update |= bit;
    if (access_reads(a)) {
      x->at.read |= bit;
    } else if (access_is_end(a, t)) {
      x->at.end |= bit;
      if (has_result(t, a))
        x->at.result |= bit;
    } else if (a->kind == ACC_BLOCK) {
      x->at.block |= bit;
    } else if (a->kind == ACC_CUT) {
      error_meet_cut(x, a);
    }
  }
  g->moved = 0;
#if HEDDLE_SLOW_CHECKS
  for (thread_id t = 0; t < g->nthreads; t++) {
    state_id s = g->threads[t].state;
    const struct access *a = s ? vm_access(x->vm, s) : NULL;
    check((x->at.end >> t & 1) == (a && access_is_end(a, t)));
    check((x->at.update >> t & 1) == (a && access_goes_on(a)));
    check((x->at.block >> t & 1) == (a && a->kind == ACC_BLOCK));
    check((x->at.read >> t & 1) == (a && access_reads(a)));
    check((x->at.result >> t & 1) == (a && has_result(t, a)));
  }
#endif
}

// Has it stopped, or does it wait for a write (forward.c)?
static bool is_paused(const struct explorer *x, thread_id t) {
  return x->cycles.guesses && !pause_may_run(x, t);
}

// A thread that is in the middle of an atomic access, a write if there is one:
// who reads a part of it reads the others next. (The write of an update is only
// the newest in Prev, see revisit.c, if nothing is written between its read and
// it.)
static thread_id find_update(const struct explorer *x) {
  thread_id read = NO_THREAD;
  for (uint64_t rest = x->at.update & ~x->cycles.frozen; rest;
       rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    if (is_paused(x, t))
      continue;
    if (vm_access(x->vm, x->g.threads[t].state)->kind != ACC_READ)
      return t;
    if (read == NO_THREAD)
      read = t;
  }
  return read;
}

// A thread that holds a lock for which another one waits, and can go on.
static thread_id find_holder(struct explorer *x) {
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    if (!graph_thread_length(&x->g, t))
      continue;
    const struct event *last = &x->g.events[graph_tail(&x->g, t)];
    if (!lock_waits(last) || last->value - 1 >= x->g.nthreads)
      continue;
    thread_id holder = (thread_id)last->value - 1;
    state_id s = x->g.threads[holder].state;
    const struct access *a = s ? vm_access(x->vm, s) : NULL;
    if (a && can_run(x, holder, a) && !would_wait(x, holder, a))
      return holder;
  }
  return NO_THREAD;
}

// The first of these threads that can run.
static thread_id find_first(const struct explorer *x, uint64_t threads) {
  for (uint64_t rest = threads; rest; rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    if (can_run(x, t, vm_access(x->vm, x->g.threads[t].state)))
      return t;
  }
  return NO_THREAD;
}

// The thread that is in the middle of an atomic update, else the holder of a
// lock that a thread waits for (so that the lock can be handed over, see
// write.c), else the first that can run without waiting, else the first that
// can run (of those that are put off the one that is so least). Reads come
// after everything else: one that finds its sources there is not revisited by
// them, so nothing has to be taken out and added again. Ends and last joins may
// come after all that does not wait.
thread_id schedule_next(struct explorer *x) {
  thread_id waiting = NO_THREAD, t;
  sort_threads(x);
  x->at.ends_only = false;
  if (x->at.update && (t = find_update(x)) != NO_THREAD)
    return t;
  if (x->met.wait && (t = find_holder(x)) != NO_THREAD && !is_paused(x, t))
    return t;
  uint64_t ready = x->g.active & ~x->cycles.frozen, ending = ready & x->at.end;
  if (ending && (x->cycles.guesses || !x->hooks.puts_off_ends ||
                 !x->hooks.puts_off_ends(x)))
    ending = 0;
  uint64_t reads = ready & ~ending & x->at.read;
  for (uint64_t rest = ready & ~ending & ~reads; rest | reads;
       rest &= rest - 1) {
    if (!rest) {
      rest = reads;
      reads = 0;
    }
    t = (thread_id)__builtin_ctzll(rest);
    const struct access *a = vm_access(x->vm, x->g.threads[t].state);
    if (!can_run(x, t, a) || is_paused(x, t))
      continue;
    if (!would_wait(x, t, a))
      return t;
    if (waiting == NO_THREAD ||
        (x->hooks.puts_off &&
         x->hooks.puts_off(x, t) < x->hooks.puts_off(x, waiting)))
      waiting = t;
  }
  t = find_first(x, ending);
  x->at.ends_only = t != NO_THREAD;
  return x->at.ends_only ? t : waiting;
}
