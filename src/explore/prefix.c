// SPDX-License-Identifier: MIT
// The prefix of a write in models that track dependencies: what has to stay if
// the write is to stay as it is [HMC, ASPLOS'20, §4].
//
//   pref = addr ∪ data ∪ ctrl ∪ addr;po ∪ rf, and START, and create/join
//
// It decides whether an event exists, where it goes and what it writes: the
// thread comes to a kept event by the same branches, with the same address and
// value, whatever is read in a hole. Creating a thread and its end have all of
// po before them, so no hole is ever in front of them.
//
// It is acyclic in every consistent graph. A cycle would leave each thread it
// passes by rfe out of a write and enter it by rfe into a read; from that read
// to that write it follows dependencies and rfi, and this is ordered: in IMM by
// ppo = [R];(deps ∪ rfi)+;[W] ⊆ ar; in ARMv8 by dob: ctrl and addr;po order the
// read with every later write, addr ∪ data;rfi go on to where they lead.
//
// What may be kept more makes fewer holes, hence less work. Whatever comes
// before a full fence, and an acquire read, is ordered with every later write
// of the thread, so it could never read from the new write; it is in the prefix
// if anything after it is. A write that is read by another thread also takes
// with it everything before it if it releases, and the read of its update:
// together with the rfe that leaves it, this is ordered too. All this must
// depend only on what is kept, or the graph before a revisit could not be told
// from the one after it: so an acquire read counts only if its thread cannot
// have been its source, and compare-exchanges and locks are in ctrl in any
// case. In front of a write that only its own thread reads, barriers must stay
// out:
//   r=x; z=1 (release); r2=z; y=r2 ∥ x=y
//   r=xchg(z,1); r2=z; y=r2 ∥ z=y            (ARMv8; IMM orders updates)
// both allow 1 everywhere.
//
// The write of an update whose read is in the prefix is taken along if that
// needs nothing else. Otherwise it is *promised*: it is deleted, but whatever
// it will write, its place in co is next to its source.
#include "explore/internal.h"

static void want(struct explorer *x, event_id id) {
  struct prefix *p = &x->prefix;
  if (id == NO_EVENT || id == INIT_EVENT || p->mark.at[id] == p->epoch)
    return;
  const struct event *e = &x->g.events[id];
  p->mark.at[id] = p->epoch;
  if (p->end[e->thread] <= e->index)
    p->end[e->thread] = e->index + 1;
  p->has_updates |= e->kind == EV_READ && (e->flags & EVF_EXCLUSIVE);
  if (id >= p->oldest)
    array_push(&p->work, id);
}

// Only reads from `oldest` on may be revisited. What is older stays in any
// case, and so does what it depends on, unless something old reads something
// new.
static event_id find_end(const struct explorer *x, event_id oldest) {
  const struct graph *g = &x->g;
  if (g->holed || g->filled)
    return 0;
  for (event_id e = g->events[oldest].prev; e != INIT_EVENT;
       e = g->events[e].prev)
    if (g->events[e].kind == EV_READ && g->events[e].rf >= oldest)
      return 0;
  return oldest;
}

static void want_set(struct explorer *x, thread_id t, set_id set) {
  struct prefix *p = &x->prefix;
  if (!set)
    return;
  while (p->set_mark.len <= set)
    array_push(&p->set_mark, 0);
  uint64_t now = (uint64_t)p->epoch << 8 | t;
  if (p->set_mark.at[set] == now)
    return;
  p->set_mark.at[set] = now;
  for (uint32_t i = 0; i < set_len(x->g.sets, set); i++)
    want(x, graph_at_place(&x->g, t, set_at(x->g.sets, set, i)));
}

static void want_deps(struct explorer *x, thread_id t,
                      const struct event_deps *d) {
  want(x, graph_at(&x->g, t, 0));
  want_set(x, t, d->addr);
  want_set(x, t, d->data);
  want_set(x, t, d->ctrl);
  want_set(x, t, d->before);
}

// The first `end` events of thread t.
static void want_all(struct explorer *x, thread_id t, uint32_t end) {
  struct prefix *p = &x->prefix;
  for (; p->whole[t] < end; p->whole[t]++)
    want(x, graph_at(&x->g, t, p->whole[t]));
}

static bool is_barrier(const struct explorer *x, const struct event *e) {
  return e->kind == EV_SPAWN ||
         (e->kind == EV_FENCE &&
          (order_releases(e->order) ||
           (x->config.model->orders_updates && e->order != ORD_NA)));
}

// An acquire read that cannot read from its own thread.
static bool is_outer_acquire(const struct graph *g, const struct event *e) {
  if (e->kind != EV_READ || !order_acquires(e->order) || (e->flags & EVF_CAS))
    return false;
  const struct event_list *mine = &g->locs.at[e->loc].by_thread[e->thread];
  for (uint32_t i = 0; i < mine->len; i++) {
    const struct event *o = &g->events[mine->at[i]];
    if (o->index >= e->index)
      break;
    if (o->kind == EV_WRITE)
      return false;
  }
  return true;
}

// The events of one kind among the first `end` of thread t.
static void want_kind(struct explorer *x, thread_id t, uint32_t end,
                      enum event_kind kind, bool (*is)(enum order)) {
  const struct graph *g = &x->g;
  for (uint32_t i = 0; i < end; i++) {
    const struct event *e = &g->events[graph_at(g, t, i)];
    if (e->kind == kind && is(e->order))
      want(x, graph_at(g, t, i));
  }
}

static bool any_order(enum order o) {
  (void)o;
  return true;
}

// ARMv8: a barrier that is not a full one, with what it orders.
static void want_by_arm(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if (e->kind != EV_FENCE)
    return;
  if (e->order == ORD_ACQ) // dmb.ld
    want_kind(x, e->thread, e->index, EV_READ, any_order);
  else if (e->flags & EVF_STORES) // dmb.st
    want_kind(x, e->thread, e->index, EV_WRITE, any_order);
  want(x, id);
}

// ARMv8: an acquire read that waits for release writes before it.
static bool waits_for_releases(const struct explorer *x,
                               const struct event *e) {
  return !x->config.model->orders_updates && e->kind == EV_READ &&
         order_acquires(e->order) &&
         (e->order == ORD_SC || x->config.model_options.arm_ldar ||
          (e->flags & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK)));
}

// What fences and acquire reads order before an event with this index, which is
// in the prefix (or will be).
static void want_ordered(struct explorer *x, thread_id t, uint32_t index) {
  const struct graph *g = &x->g;
  struct prefix *p = &x->prefix;
  for (; p->looked[t] < index; p->looked[t]++) {
    event_id id = graph_at(g, t, p->looked[t]);
    const struct event *e = &g->events[id];
    if (is_barrier(x, e))
      want_all(x, t, p->looked[t] + 1);
    else if (is_outer_acquire(g, e))
      want(x, id);
    if (!x->config.model->orders_updates)
      want_by_arm(x, id);
  }
}

// The read of the update whose write is e; NO_EVENT if there is none.
static event_id read_of(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (!(e->flags & EVF_EXCLUSIVE))
    return NO_EVENT;
  return graph_at_place(g, e->thread, g->deps[id].place - 1);
}

// ARMv8: a write comes after what is before it at its location.
static void want_of_loc(struct explorer *x, thread_id t, uint32_t index,
                        uint32_t loc) {
  const struct graph *g = &x->g;
  const struct graph_loc *l = &g->locs.at[loc];
  if (x->config.model->orders_updates || !(l->threads >> t & 1))
    return;
  for (uint32_t i = 0; i < l->by_thread[t].len; i++)
    if (g->events[l->by_thread[t].at[i]].index < index)
      want(x, l->by_thread[t].at[i]);
}

static void want_source(struct explorer *x, const struct event *read) {
  const struct event *w = &x->g.events[read->rf];
  want(x, read->rf);
  if (read->rf == INIT_EVENT || w->thread == read->thread)
    return;
  if (order_releases(w->order))
    want_all(x, w->thread, w->index);
  want(x, read_of(&x->g, read->rf));
  want_of_loc(x, w->thread, w->index, w->loc);
}

static void want_what_decides(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    want_source(x, e);
    if (waits_for_releases(x, e))
      want_kind(x, e->thread, e->index, EV_WRITE, order_releases);
    break;
  case EV_START:
    want(x, e->rf);
    break;
  case EV_JOIN:
    want(x, e->rf);
    want_all(x, e->thread, e->index);
    break;
  case EV_SPAWN:
    want(x, graph_at(&x->g, e->loc, 0)); // the two are one step
    want_all(x, e->thread, e->index);
    break;
  case EV_END:
    want_all(x, e->thread, e->index);
    break;
  default:
    break;
  }
  if (e->kind != EV_START)
    want_deps(x, e->thread, &x->g.deps[id]);
  want_ordered(x, e->thread, e->index);
}

static bool has_set(const struct explorer *x, thread_id t, set_id set) {
  for (uint32_t i = 0; i < set_len(x->g.sets, set); i++) {
    event_id e = graph_at_place(&x->g, t, set_at(x->g.sets, set, i));
    if (e != NO_EVENT && e >= x->prefix.oldest && !prefix_has(x, e))
      return false;
  }
  return true;
}

// Writes of updates whose reads are in the prefix.
static void promise_writes(struct explorer *x) {
  struct prefix *p = &x->prefix;
  for (event_id id = x->g.last; id != INIT_EVENT && id >= p->oldest;
       id = x->g.events[id].prev) {
    const struct event *e = &x->g.events[id];
    if (e->kind != EV_WRITE || !(e->flags & EVF_EXCLUSIVE) ||
        prefix_has(x, id) || id == p->write)
      continue;
    const struct event_deps *d = &x->g.deps[id];
    event_id read = read_of(&x->g, id);
    if (read == NO_EVENT || (read >= p->oldest && !prefix_has(x, read)))
      continue;
    if (has_set(x, e->thread, d->addr) && has_set(x, e->thread, d->data) &&
        has_set(x, e->thread, d->ctrl) && has_set(x, e->thread, d->before))
      want(x, id);
    else
      p->mark.at[id] = p->epoch - 1;
  }
  p->work.len = 0;
}

bool prefix_is_simple(struct explorer *x, thread_id t) {
  const struct graph *g = &x->g;
  const struct access *a = vm_access(x->vm, g->threads[t].state);
  x->prefix.thread = t;
  x->prefix.write = NO_EVENT;
  x->prefix.is_porf = !g->holed && !g->filled &&
                      (g->deps[graph_tail(g, t)].prefix & PREFIX_FULL) &&
                      graph_brings_all(g, t, graph_reached(g, t), a->loc,
                                       a->order, a->kind == ACC_RMW_WRITE);
  return x->prefix.is_porf;
}

static void begin(struct explorer *x) {
  struct prefix *p = &x->prefix;
  p->epoch += 2;
  p->has_updates = false;
  while (p->mark.len < x->g.nevents)
    array_push(&p->mark, 0);
  for (thread_id u = 0; u < x->g.nthreads; u++)
    p->whole[u] = p->end[u] = p->looked[u] = 0;
}

// Marks the prefix of a write of thread t that has (or will have) this index,
// without the write itself.
static void want_before_write(struct explorer *x, thread_id t, uint32_t index,
                              const struct event_deps *deps, uint32_t loc,
                              enum order order, bool is_update) {
  struct prefix *p = &x->prefix;
  want_deps(x, t, deps);
  want_ordered(x, t, index);
  if (order_releases(order))
    want_all(x, t, index);
  if (is_update)
    want(x, graph_at(&x->g, t, index - 1));
  want_of_loc(x, t, index, loc);
  while (p->work.len)
    want_what_decides(x, array_pop(&p->work));
  if (p->has_updates)
    promise_writes(x);
}

void prefix_mark(struct explorer *x, thread_id t, event_id oldest) {
  struct prefix *p = &x->prefix;
  if (prefix_is_simple(x, t))
    return;
  const struct access a = *vm_access(x->vm, x->g.threads[t].state);
  deps_fill(x);
  p->next = deps_of_next(x, t);
  begin(x);
  p->oldest = find_end(x, oldest);
  want_before_write(x, t, graph_reached(&x->g, t), &p->next, a.loc, a.order,
                    a.kind == ACC_RMW_WRITE);
}

void prefix_mark_of(struct explorer *x, event_id write) {
  const struct event *w = &x->g.events[write];
  x->prefix.is_porf = false;
  x->prefix.write = write;
  deps_fill(x);
  begin(x);
  x->prefix.oldest = 0;
  want_before_write(x, w->thread, w->index, &x->g.deps[write], w->loc, w->order,
                    w->flags & EVF_EXCLUSIVE);
}
