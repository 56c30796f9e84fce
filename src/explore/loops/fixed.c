// SPDX-License-Identifier: MIT
// Failed rounds, load buffering and dependencies. Where loads may be promised
// what comes after them (cycles/promise), a thread that comes back to the state
// in which it was may be elsewhere with another promise:
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
#include "base/fence.h"
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

static bool is_subset(const struct sets *sets, set_id a, set_id b) {
  for (uint32_t i = 0; i < set_len(sets, a); i++)
    if (!set_contains(sets, b, set_at(sets, a, i)))
      return false;
  return true;
}

// ---- what depends on less
//
// A round leads back to the state in which it began, but what is alive there
// may have been computed from other loads:
//
//   T1: p = x; while (!y) p = z;  r = *p
//
// If x and z hold the same address, the round with z changes nothing. With it
// r depends on the load of z, without it on that of x, and models that order
// dependent loads may forbid then what is allowed with the round (tests/
// programs/awaits/round_depends.c). So all that is alive, and what follows, has
// to depend in the state behind the round on whatever it depended on before
// that; with more, the execution with the round is forbidden if the one without
// it is. Of several rounds this is asked of the first one that there is, as
// they are taken out one by one from the first on.
//
// A load that acquires, or is before a fence, comes before all that follows in
// any case. And a load a that has been replaced by a load b of the round is
// stood for if both are of one location and read the same write, and the
// address of b depends on what that of a depends on. Then whatever comes before
// a in some order comes before b as well: the write that both read, what a
// barrier or an acquire before a orders, the address. So what followed from a
// follows from b. So does it if b finds what its own thread has stored between
// the two, and that was computed from a (as the tag of Boost's free list, which
// each round reads from its node and puts there again): imm, armv8 and c11
// order a before b by that, data and rf inside a thread. (So do the texts of
// other architectures, but it is not asked of texts.)
//
// The same is asked of what a round stores in memory of its own (own-rounds),
// and what was there before: who reads it again depends on what was stored.
//
// An update that puts back what it finds hides the write that it has read from
// later loads of its thread. These read their own thread's, and models that let
// them do so at once order them, and what depends on them, less than they do
// without the round, where they read that write themselves (round_puts_back.c).
// Not so if the update acquires, or a fence behind it does: then all that
// follows is behind that write. Nor if it alone decides on the round: what its
// thread reads next is the same update, which does the same as long as it finds
// that value. Nor if it finds what its thread has written itself, which depends
// on no more, or what was there first. (Words of locks are looked at in
// lock_word.c.)
//
// Else the search is incomplete, by name.

struct replaced {
  struct explorer *x;
  thread_id t;
};

// Is a fence between event `place` and what follows the round that orders loads
// before whatever may depend on them? (Of imm and armv8 it is known that any
// fence of C11 does so.)
static bool has_fence_behind(const struct replaced *r, uint32_t place) {
  const struct model *m = r->x->config.model;
  bool any = !m->text && (m->load_orders & ORDER_FENCE);
  for (uint32_t i = place + 1; i < graph_thread_length(&r->x->g, r->t); i++) {
    const struct event *e = event_of(&r->x->g, r->t, i);
    if (e->kind == EV_FENCE && fence_kind_of(e->value) == FENCE_C11 &&
        (any || order_acquires((enum order)e->order)))
      return true;
  }
  return false;
}

static bool finds_what_was_made_of(const struct replaced *r, uint32_t place,
                                   const struct event *read) {
  const struct graph *g = &r->x->g;
  const struct event *w = &g->events[read->rf];
  return !r->x->config.model->text && w->kind == EV_WRITE &&
         w->thread == r->t && place < w->index && w->index < read->index &&
         set_contains(g->sets, g->deps[read->rf].data, place);
}

static bool stands_for(void *arg, uint32_t other, uint32_t place) {
  const struct replaced *r = arg;
  const struct graph *g = &r->x->g;
  uint32_t n = graph_thread_length(g, r->t);
  if (place >= n || other >= n)
    return false;
  if (place == other) // is it before all that follows in any case?
    return order_acquires((enum order)event_of(g, r->t, place)->order) ||
           has_fence_behind(r, place);
  if (place > other)
    return false;
  event_id a = graph_at(g, r->t, place), b = graph_at(g, r->t, other);
  const struct event *old = &g->events[a], *now = &g->events[b];
  if (old->kind != EV_READ || now->kind != EV_READ)
    return false;
  return finds_what_was_made_of(r, place, now) ||
         (old->loc == now->loc && old->rf == now->rf &&
          is_subset(g->sets, g->deps[a].addr, g->deps[b].addr));
}

static bool is_replaced(struct replaced *r, set_id old, set_id now) {
  const struct sets *sets = r->x->g.sets;
  for (uint32_t i = 0; i < set_len(sets, old); i++) {
    uint32_t place = set_at(sets, old, i);
    bool found = set_contains(sets, now, place) || stands_for(r, place, place);
    for (uint32_t k = 0; !found && k < set_len(sets, now); k++)
      found = stands_for(r, set_at(sets, now, k), place);
    if (!found)
      return false;
  }
  return true;
}

// Does the write depend on all that the thread's write `old` depends on?
static bool stores_alike(struct explorer *x, thread_id t, event_id old,
                         event_id now) {
  const struct graph *g = &x->g;
  struct replaced r = {x, t};
  return is_replaced(&r, g->deps[old].data, g->deps[now].data) &&
         is_replaced(&r, g->deps[old].addr, g->deps[now].addr);
}

// Does a write of the round depend on less than that which it is behind?
static bool stores_with_less(struct explorer *x, thread_id t, uint32_t first,
                             uint32_t end) {
  const struct graph *g = &x->g;
  for (uint32_t i = first; i < end; i++) {
    event_id id = graph_at(g, t, i);
    const struct event *e = &g->events[id];
    if (e->kind != EV_WRITE || (e->flags & EVF_EXCLUSIVE))
      continue;
    event_id old = g->locs.at[e->loc].co.at[e->co - 1];
    if (old != INIT_EVENT && g->events[old].thread == t &&
        !stores_alike(x, t, old, id))
      return true;
  }
  return false;
}

// Does an update of the round hide what it has read?
static bool hides_source(struct explorer *x, thread_id t, uint32_t first,
                         uint32_t end) {
  unsigned decide = 0;
  bool found = false;
  for (uint32_t i = first; i < end; i++) {
    event_id id = graph_at(&x->g, t, i);
    const struct event *e = &x->g.events[id];
    decide += trace_decides(x, e);
    if (e->kind == EV_FENCE && order_acquires((enum order)e->order))
      found = false;
    if (e->kind != EV_WRITE || !(e->flags & EVF_EXCLUSIVE) ||
        lock_word_is_one(x, e->loc))
      continue;
    const struct event *read = trace_read_of(&x->g, e);
    const struct event *source = &x->g.events[read->rf];
    bool is_own = read->rf == INIT_EVENT ||
                  (source->thread == t && stores_alike(x, t, read->rf, id));
    found = found || (!is_own && !(read->flags & EVF_LOCK) &&
                      !order_acquires((enum order)read->order));
  }
  return found && decide > 1;
}

bool round_hides_source(struct explorer *x, thread_id t, uint32_t first,
                        uint32_t end) {
  if (!x->tracks || !has_writes(&x->g, t, first, end))
    return false;
  deps_fill(x);
  return hides_source(x, t, first, end);
}

uint8_t round_changes(struct explorer *x, thread_id t, uint32_t first) {
  const struct graph *g = &x->g;
  uint32_t len = graph_thread_length(g, t);
  if (!x->tracks)
    return 0;
  bool writes = has_writes(g, t, first, len);
  uint8_t why = x->promises ? LEAVES_BUFFERED : LEAVES_DEPENDENCIES;
  deps_id end = follow(x, t, first, len, vm_deps_first(x->vm), /*place=*/1);
  if (!end)
    return why;
  if (!writes && !vm_deps_has_touched(x->vm, end))
    return 0; // nothing is written that is alive, as mostly
  deps_fill(x);
  deps_id begin = g->deps[graph_at(g, t, first)].state;
  end = follow(x, t, first, len, begin, first);
  struct asked a = {x, t, ordered_by_code(x, t, len, end)};
  bool is_fixed = !x->promises ||
                  (!vm_deps_touched_place(x->vm, begin, end, may_change, &a) &&
                   !(writes && (puts_back_another(&a, first, len) ||
                                changes_another(&a, first, len))));
  struct replaced r = {x, t};
  bool is_within = vm_deps_within_but(x->vm, begin, end, stands_for, &r) &&
                   !stores_with_less(x, t, first, len) &&
                   !hides_source(x, t, first, len);
  return (uint8_t)((is_fixed ? 0 : LEAVES_BUFFERED) |
                   (is_within ? 0 : LEAVES_DEPENDENCIES));
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
