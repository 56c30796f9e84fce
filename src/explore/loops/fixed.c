// SPDX-License-Identifier: MIT
// Failed rounds and load buffering. Where loads may be promised what comes
// after them (cycles/promise), a thread that comes back to the state in which
// it was may be elsewhere with another promise:
//
//   T1: do s += x; while (!y);  z = 1        T2: x = z        T3: y = 1
//
// (relaxed) With x = 0 the round changes nothing. With x = 1, promised by way
// of z, it does: s may be 2 in the end, after a round that has failed and was
// none of an await. The graph from which that would be promised has s = 0, in
// which T1 waits, so it leads nowhere.
//
// That cannot happen if the round is failed whatever values have those reads of
// the thread that a promise may change. These are the reads that nothing orders
// before later writes: no branch or address depends on them, they do not
// acquire, and no fence follows (promise.c: nothing but values depends on what
// is promised, and on what has another value because of that). So the thread
// takes the same way. It comes to the same state if all that is alive there,
// and that the round has written, depends on no such read, and did not before.
// And the round leaves no trace if what its updates put back does not depend on
// one either. All this is asked of dependencies: what they do not name does not
// depend (vm/deps.h).
//
// Else the thread waits, and the search is incomplete, by name. (With all
// rounds T1 may make any number of them: such a program has an execution for
// each.)
#include "explore/cycles/promise/promise.h"
#include "explore/loops/loops.h"
#include "explore/reduce/classes.h"
#include "vm/deps.h"

struct asked {
  const struct explorer *x;
  thread_id t;
  set_id after;
};

static bool may_change(void *arg, uint32_t place) {
  const struct asked *a = arg;
  return reader_may_change(a->x, graph_at(&a->x->g, a->t, place), a->after);
}

static bool has_member_that_changes(struct asked *a, set_id set) {
  const struct sets *sets = a->x->g.sets;
  for (uint32_t i = 0; i < set_len(sets, set); i++)
    if (may_change(a, set_at(sets, set, i)))
      return true;
  return false;
}

// Did the thread go on from one event to the next without a stop?
static bool leads_to(const struct explorer *x, const struct event *e,
                     const struct event *next) {
  return e->state == next->pre ||
         event_pre_of(x, e->state, EV_CHOICE) == next->pre;
}

// The dependencies behind the round that begins at index `first`, with what is
// written noted; its events have places from `place` on. 0: it has an assertion
// that fails.
static deps_id follow_round(struct explorer *x, thread_id t, uint32_t first,
                            deps_id begin, uint32_t place) {
  uint32_t len = graph_thread_length(&x->g, t);
  deps_id d = vm_deps_touching(x->vm, begin);
  for (uint32_t i = first; i < len; i++) {
    const struct event *e = event_of(&x->g, t, i);
    if (i + 1 < len && !leads_to(x, e, event_of(&x->g, t, i + 1)))
      return 0;
    d = vm_deps_step(x->vm, d, e->pre, event_yield(e),
                     explore_undef_of(x->vm, &x->g, e), place++);
  }
  return d;
}

// What branches up to here depend on, and addresses.
static set_id ordered_by_code(struct explorer *x, thread_id t, deps_id end) {
  set_id all = vm_deps(x->vm, end).after;
  for (uint32_t i = 0; i < graph_thread_length(&x->g, t); i++)
    all = set_union(vm_sets(x->vm), all, x->g.deps[graph_at(&x->g, t, i)].addr);
  return all;
}

// Do writes of the round put back what would be something else?
static bool puts_back_another(struct asked *a, uint32_t first) {
  const struct graph *g = &a->x->g;
  for (uint32_t i = first; i < graph_thread_length(g, a->t); i++) {
    event_id id = graph_at(g, a->t, i);
    const struct event *e = &g->events[id];
    if (e->kind == EV_WRITE && !(e->flags & EVF_UNLOCK) &&
        !lock_word_is_one(a->x, e->loc) && // it leaves a trace of no matter
        (has_member_that_changes(a, g->deps[id].data) ||
         ((e->flags & EVF_EXCLUSIVE) && may_change(a, i - 1))))
      return true;
  }
  return false;
}

static bool has_writes(const struct graph *g, thread_id t, uint32_t first) {
  for (uint32_t i = first; i < graph_thread_length(g, t); i++)
    if (event_of(g, t, i)->kind == EV_WRITE)
      return true;
  return false;
}

bool round_is_fixed(struct explorer *x, thread_id t, uint32_t first) {
  const struct graph *g = &x->g;
  if (!x->promises)
    return true;
  bool writes = has_writes(g, t, first);
  deps_id end = follow_round(x, t, first, vm_deps_first(x->vm), /*place=*/1);
  if (!end)
    return false;
  if (!writes && !vm_deps_has_touched(x->vm, end))
    return true; // nothing is written that is alive, as mostly
  deps_fill(x);
  deps_id begin = g->deps[graph_at(g, t, first)].state;
  end = follow_round(x, t, first, begin, first);
  struct asked a = {x, t, ordered_by_code(x, t, end)};
  return !vm_deps_touched_place(x->vm, begin, end, may_change, &a) &&
         !(writes && puts_back_another(&a, first));
}
