// SPDX-License-Identifier: MIT
// Retries: loops that try until they succeed, such as
//
//   old = load(&top);                          r'
//   do n->next = old;                          e
//   while (!compare_exchange(&top, &old, n));  r, if it fails
//
// A failed round is no await (await.c): the thread comes back with another
// `old`. But it comes back to where it would be if it had read the newer value
// in the first place. So let the newest event of a thread be a read r of write
// w that leads to state s, and let r' be an earlier read of the same location
// by the thread, such that reading w there would have led to s as well. If what
// came in between left no trace, the execution without r' and all of that, in
// which r is done by the instruction of r', is one of the program, and whatever
// follows is the same in both. We explore only the latter: the thread stops at
// r, and the execution does not count.
//
// Why the execution G' without the failed round is one:
//   - The model allows it. Its events are those of G without r' and what came
//     in between, and no axiom forbids a graph with fewer events [awaits, 5.1];
//     at most, r is weaker than it was, since we ask that the instruction of r'
//     is at most as strong as that of r. (Otherwise what r failed to
//     synchronise with might matter: an acquire load that is refreshed by a
//     relaxed failure is not the same as one that is not.)
//   - The threads do in it what they did. The thread itself is in state s; the
//     others do not read what was left out.
//   - No error is lost. Values are the same; less happens before, so races of
//     what is left stay races; those of what was left out are found when they
//     are added, since only the thread stops and not the search.
//
// What leaves no trace: reads, fences, nondeterministic choices, an update that
// writes what it read, and a plain write to a location that the thread, from s
// on, overwrites before it reads anything (n->next). Nobody else can have read
// that write without a race, which is reported: between it and the next round's
// there is nothing by which another thread could have known of it.
//
// A load that acquires and a failure that is relaxed can still be the same. If
// the round that follows succeeds, reads the write of the failure once more and
// acquires too, with nothing in between, then it does not matter which of its
// two reads acquired first. So that round is left out, when it succeeds: the
// thread stops at the read of its compare-exchange, which is then no update.
//
// Whether a round is left out depends on what the thread itself has done and
// read, so to stop is like an assumption of the program that does not hold, and
// each execution is still met once [TruSt, POPL'22].
#include "explore/internal.h"

enum {
  LOOK_BACK = 4,  // earlier reads of the location that are tried for r'
  MAX_ROUND = 64, // events that may be left out
  MAX_AHEAD = 16, // accesses of the next round that are looked at
};

// Does the thread, in state s, overwrite the location before it reads anything?
static bool overwrites(struct explorer *x, state_id s, uint32_t loc) {
  for (unsigned n = 0; s && n < MAX_AHEAD; n++) {
    const struct access *a = vm_access(x->vm, s);
    if (a->kind == ACC_WRITE && a->loc == loc)
      return a->order == ORD_NA;
    if (a->kind != ACC_WRITE && a->kind != ACC_FENCE)
      return false;
    s = vm_step(x->vm, s, 0);
  }
  return false;
}

static bool leaves_no_trace(struct explorer *x, event_id id, state_id s) {
  const struct event *e = &x->g.events[id];
  if (e->flags & (EVF_LOCK | EVF_UNLOCK))
    return false;
  if (e->kind != EV_WRITE || (e->flags & EVF_EXCLUSIVE))
    return await_leaves_no_trace(&x->g, id);
  bool races_are_errors =
      !x->config.disabled[FIND_RACE] && !x->config.warning[FIND_RACE];
  return e->order == ORD_NA && races_are_errors && overwrites(x, s, e->loc);
}

// Is the read that r' would be, if it had this order and these flags, no
// stronger than r?
static bool is_at_most(enum order order, uint8_t flags, const struct event *r) {
  if ((order == ORD_NA) != (r->order == ORD_NA) ||
      ((flags & EVF_CAS) && !(r->flags & EVF_CAS)))
    return false;
  return order == ORD_SC ? r->order == ORD_SC
                         : !order_acquires(order) || order_acquires(r->order);
}

// Would r', with the source of r, have led to where r has led? It may be as
// strong as `bound`.
static bool could_be(struct explorer *x, const struct event *before,
                     const struct event *r, const struct event *bound) {
  const struct access *a = vm_access(x->vm, before->pre);
  uint8_t order;
  if (before->kind != EV_READ || (before->flags & (EVF_EXCLUSIVE | EVF_LOCK)) ||
      (a->kind != ACC_READ && a->kind != ACC_CAS_READ))
    return false;
  uint8_t flags = step_read_flags(a, r->value, /*is_uninit=*/false, &order);
  return !(flags & EVF_EXCLUSIVE) &&
         is_at_most((enum order)order, flags, bound) &&
         vm_step(x->vm, before->pre, r->value) == r->state;
}

// Did what came after the event at index `before` leave no trace, and does r
// not read it either? And was it a round?
static bool is_futile(struct explorer *x, uint32_t before,
                      const struct event *r) {
  const struct event *w = &x->g.events[r->rf];
  bool is_round = await_goes_back(x, r->pre, r->state);
  if (r->index - before > MAX_ROUND ||
      (r->rf != INIT_EVENT && w->thread == r->thread && w->index > before))
    return false;
  state_id next = r->pre;
  for (uint32_t i = r->index; i-- > before;) {
    event_id id = graph_at(&x->g, r->thread, i);
    if (i > before && !leaves_no_trace(x, id, r->state))
      return false;
    is_round = is_round || await_goes_back(x, x->g.events[id].pre, next);
    next = x->g.events[id].pre;
  }
  return is_round;
}

// Does r, which is in the graph, end a failed round that may be left out?
static bool ends_round(struct explorer *x, const struct event *r,
                       const struct event *bound) {
  const struct event_list *mine = &x->g.locs.at[r->loc].by_thread[r->thread];
  for (uint32_t n = 1; n <= LOOK_BACK && n < mine->len; n++) {
    const struct event *before = &x->g.events[mine->at[mine->len - 1 - n]];
    if (could_be(x, before, r, bound) && is_futile(x, before->index, r))
      return true;
  }
  return false;
}

static bool is_plain_read(const struct event *e) {
  return e->kind == EV_READ &&
         !(e->flags & (EVF_EXCLUSIVE | EVF_LOCK | EVF_UNINIT));
}

static bool is_off(const struct explorer *x) {
  return x->config.explore_retries || x->tracks;
}

void retry_look(struct explorer *x, event_id id) {
  struct event *e = &x->g.events[id];
  if (!is_plain_read(e) || !e->state || is_off(x) || !ends_round(x, e, e))
    return;
  e->state = 0;
  e->flags |= EVF_RETRY;
  graph_set_state(&x->g, e->thread, 0);
}

bool retry_confirms(struct explorer *x, const struct event *e) {
  const struct event *r = &x->g.events[graph_tail(&x->g, e->thread)];
  return (e->flags & EVF_CAS) && (e->flags & EVF_EXCLUSIVE) &&
         is_plain_read(r) && r->loc == e->loc && r->rf == e->rf && !is_off(x) &&
         ends_round(x, r, e);
}
