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
// one either, nor what its stores to memory of its own put there, nor what was
// there before. All this is asked of dependencies: what they do not name does
// not depend (vm/deps.h).
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
  if (place >= graph_thread_length(&a->x->g, a->t))
    return false; // the mark of what is written
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

// The dependencies behind the events of a thread from index `first` up to
// `end`, with what is written noted; they have places from `place` on. 0: an
// assertion fails in between.
static deps_id follow(struct explorer *x, thread_id t, uint32_t first,
                      uint32_t end, deps_id begin, uint32_t place) {
  deps_id d = vm_deps_touching(x->vm, begin);
  for (uint32_t i = first; i < end; i++) {
    const struct event *e = event_of(&x->g, t, i);
    if (i + 1 < end && !leads_to(x, e, event_of(&x->g, t, i + 1)))
      return 0;
    d = vm_deps_step(x->vm, d, e->pre, event_yield(e),
                     explore_undef_of(x->vm, &x->g, e), place++);
  }
  return d;
}

// What branches up to there depend on, and addresses.
static set_id ordered_by_code(struct explorer *x, thread_id t, uint32_t end,
                              deps_id d) {
  set_id all = vm_deps(x->vm, d).after;
  for (uint32_t i = 0; i < end; i++)
    all = set_union(vm_sets(x->vm), all, x->g.deps[graph_at(&x->g, t, i)].addr);
  return all;
}

// Does a plain load of the thread find what the thread itself has stored,
// whatever a promise may change? Another's store would race with it.
static bool finds_own(const struct asked *a, const struct event *read) {
  return read->kind == EV_READ && read->order == ORD_NA &&
         read->thread == a->t && trace_races_are_errors(a->x) &&
         (read->rf == INIT_EVENT ||
          a->x->g.events[read->rf].thread == read->thread);
}

// May a promise change what the write, of any thread, stores? (What is ordered
// by code is known of the thread of the round only.)
enum { MAX_DEPTH = 8 }; // of stores that are loaded again
static bool may_store_another(struct asked *a, event_id write, unsigned depth) {
  const struct graph *g = &a->x->g;
  if (write == INIT_EVENT)
    return false;
  const struct event *w = &g->events[write];
  struct asked b = {a->x, w->thread, w->thread == a->t ? a->after : 0};
  if ((w->flags & EVF_EXCLUSIVE) && may_change(&b, w->index - 1))
    return true;
  set_id data = g->deps[write].data;
  for (uint32_t i = 0; i < set_len(g->sets, data); i++) {
    uint32_t place = set_at(g->sets, data, i);
    const struct event *read = event_of(g, w->thread, place);
    bool is_own = depth < MAX_DEPTH && finds_own(a, read);
    if (is_own ? may_store_another(a, read->rf, depth + 1)
               : may_change(&b, place))
      return true;
  }
  return false;
}

// Do updates of the round put back what would be something else?
static bool puts_back_another(struct asked *a, uint32_t first, uint32_t end) {
  const struct graph *g = &a->x->g;
  for (uint32_t i = first; i < end; i++) {
    event_id id = graph_at(g, a->t, i);
    const struct event *e = &g->events[id];
    if (e->kind == EV_WRITE && (e->flags & EVF_EXCLUSIVE) &&
        !lock_word_is_one(a->x, e->loc) && // it leaves a trace of no matter
        may_store_another(a, id, 0))
      return true;
  }
  return false;
}

// Would other writes of the round have stored something else, or what was not
// there already? (If one comes before all reads and choices of the round, it
// does not matter what was there: await.c.)
static bool changes_another(struct asked *a, uint32_t first, uint32_t end) {
  const struct graph *g = &a->x->g;
  bool may_differ = false;
  for (uint32_t i = first; i < end; i++) {
    event_id id = graph_at(g, a->t, i);
    const struct event *e = &g->events[id];
    may_differ |= trace_decides(a->x, e);
    if (e->kind == EV_WRITE && !(e->flags & (EVF_EXCLUSIVE | EVF_UNLOCK)) &&
        (may_store_another(a, id, 0) ||
         (may_differ &&
          may_store_another(a, g->locs.at[e->loc].co.at[e->co - 1], 0))))
      return true;
  }
  return false;
}

static bool has_writes(const struct graph *g, thread_id t, uint32_t first,
                       uint32_t end) {
  for (uint32_t i = first; i < end; i++)
    if (event_of(g, t, i)->kind == EV_WRITE)
      return true;
  return false;
}

bool round_is_fixed(struct explorer *x, thread_id t, uint32_t first) {
  const struct graph *g = &x->g;
  uint32_t len = graph_thread_length(g, t);
  if (!x->promises)
    return true;
  bool writes = has_writes(g, t, first, len);
  deps_id end = follow(x, t, first, len, vm_deps_first(x->vm), /*place=*/1);
  if (!end)
    return false;
  if (!writes && !vm_deps_has_touched(x->vm, end))
    return true; // nothing is written that is alive, as mostly
  deps_fill(x);
  deps_id begin = g->deps[graph_at(g, t, first)].state;
  end = follow(x, t, first, len, begin, first);
  struct asked a = {x, t, ordered_by_code(x, t, len, end)};
  return !vm_deps_touched_place(x->vm, begin, end, may_change, &a) &&
         !(writes && (puts_back_another(&a, first, len) ||
                      changes_another(&a, first, len)));
}

// ---- rounds of loops that try again (retry.c)
//
// A read r of the value v has led to a state s to which an earlier read r' of
// the thread would have led with v. Two things are asked of dependencies. What
// follows must not depend on more without the round: all that is alive in s
// depends, if r' reads v, on no more than it does behind r. And this must be so
// whatever a promise changes: what one of the two ways to s writes, and is
// alive, depends on no read that may change, in either. Then with other values
// both lead to the same state again. Where they do so only behind the success
// of a compare-exchange (a count of failures is alive until then), both are
// followed through it, and the same is asked of it and of what is alive behind
// it: what was made of the count there counts as written.

// Do both ways, with d and less, lead from these states to one state by the
// same writes? They are followed.
static bool meet(struct explorer *x, struct asked *a, state_id s, state_id t,
                 deps_id *d, deps_id *less) {
  enum { MAX_MEET = 4 };
  for (unsigned n = 0; s != t; n++) {
    struct deps one = vm_deps(x->vm, *d), other = vm_deps(x->vm, *less);
    if (n == MAX_MEET || vm_access(x->vm, s)->kind != ACC_WRITE ||
        vm_access(x->vm, t)->kind != ACC_WRITE ||
        !vm_deps_within(x->vm, *less, *d, /*writes=*/true) ||
        has_member_that_changes(a, one.data) ||
        has_member_that_changes(a, other.data))
      return false;
    *d = vm_deps_step(x->vm, *d, s, 0, UNDEF_NONE, 0);
    *less = vm_deps_step(x->vm, *less, t, 0, UNDEF_NONE, 0);
    s = vm_step(x->vm, s, 0);
    t = vm_step(x->vm, t, 0);
  }
  return vm_deps_within(x->vm, *less, *d, /*writes=*/false);
}

static bool is_subset(const struct sets *sets, set_id a, set_id b) {
  for (uint32_t i = 0; i < set_len(sets, a); i++)
    if (!set_contains(sets, b, set_at(sets, a, i)))
      return false;
  return true;
}

// r would have the address of r', and expect the same. (Of what is expected it
// does not matter to models that are no texts: all that follows is behind a
// branch on it already.)
static bool access_depends_less(const struct explorer *x,
                                const struct event_deps *of_before,
                                const struct event_deps *of_r) {
  return is_subset(x->g.sets, of_before->addr, of_r->addr) &&
         (model_builtin(x->config.model) ||
          is_subset(x->g.sets, of_before->data, of_r->data));
}

// Both ways are about to succeed with the same compare-exchange, which reads
// what r has read, and go on behind it (retry.c has asked that). It is a
// branch, so no promise changes what it reads; nor may one change what it
// expects or writes.
static bool succeed(struct explorer *x, struct asked *a, const struct event *r,
                    state_id *s, state_id *t, deps_id *d, deps_id *less) {
  uint64_t value = r->value;
  for (unsigned half = 0; half < 2; half++, value = 0) {
    if (!vm_deps_within(x->vm, *less, *d, /*writes=*/true) ||
        has_member_that_changes(a, vm_deps(x->vm, *d).data) ||
        has_member_that_changes(a, vm_deps(x->vm, *less).data))
      return false;
    *d = vm_deps_step(x->vm, *d, *s, value, UNDEF_NONE, r->index + 1);
    *less = vm_deps_step(x->vm, *less, *t, value, UNDEF_NONE, r->index + 1);
    *s = vm_step(x->vm, *s, value);
    *t = vm_step(x->vm, *t, value);
  }
  return true;
}

bool round_depends_less(struct explorer *x, const struct event *before,
                        const struct event *r, const struct event *bound) {
  const struct graph *g = &x->g;
  thread_id t = r->thread;
  uint32_t first = before->index, end = r->index + 1;
  deps_fill(x);
  const struct event_deps *of_before = &g->deps[graph_at(g, t, first)],
                          *of_r = &g->deps[graph_at(g, t, r->index)];
  deps_id begin = of_before->state, d = follow(x, t, first, end, begin, first);
  if (!d)
    return false;
  deps_id less = vm_deps_step(x->vm, vm_deps_touching(x->vm, begin),
                              before->pre, r->value, UNDEF_NONE, r->index);
  struct asked a = {x, t, ordered_by_code(x, t, end, d)};
  state_id s = r->state, other = vm_step(x->vm, before->pre, r->value);
  if (bound != r && s != other && vm_access(x->vm, s)->kind == ACC_CAS_READ &&
      ((bound->flags & EVF_PICK) || !succeed(x, &a, r, &s, &other, &d, &less)))
    return false;
  return access_depends_less(x, of_before, of_r) &&
         !puts_back_another(&a, first, end) &&
         meet(x, &a, s, other, &d, &less) &&
         !vm_deps_touched_place(x->vm, less, d, may_change, &a) &&
         !vm_deps_touched_place(x->vm, d, less, may_change, &a);
}
