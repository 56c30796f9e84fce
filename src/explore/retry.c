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

// Would r', with the source of r, have led to where r has led?
static bool could_be(struct explorer *x, const struct event *before,
                     const struct event *r) {
  const struct access *a = vm_access(x->vm, before->pre);
  uint8_t order;
  if (before->kind != EV_READ || (before->flags & (EVF_EXCLUSIVE | EVF_LOCK)) ||
      (a->kind != ACC_READ && a->kind != ACC_CAS_READ))
    return false;
  uint8_t flags = step_read_flags(a, r->value, /*is_uninit=*/false, &order);
  return !(flags & EVF_EXCLUSIVE) &&
         is_at_most((enum order)order, flags, r) &&
         vm_step(x->vm, before->pre, r->value) == r->state;
}

// Did the round after the event at index `before` leave no trace up to r?
static bool is_futile(struct explorer *x, uint32_t before,
                      const struct event *r) {
  if (r->index - before > MAX_ROUND)
    return false;
  for (uint32_t i = before + 1; i < r->index; i++)
    if (!leaves_no_trace(x, graph_at(&x->g, r->thread, i), r->state))
      return false;
  return true;
}

static bool made_round(struct explorer *x, event_id id) {
  const struct event *r = &x->g.events[id];
  const struct event_list *mine = &x->g.locs.at[r->loc].by_thread[r->thread];
  for (uint32_t n = 1; n <= LOOK_BACK && n < mine->len; n++) {
    const struct event *before = &x->g.events[mine->at[mine->len - 1 - n]];
    if (could_be(x, before, r) && is_futile(x, before->index, r))
      return true;
  }
  return false;
}

void retry_look(struct explorer *x, event_id id) {
  struct event *e = &x->g.events[id];
  const uint8_t other = EVF_EXCLUSIVE | EVF_LOCK | EVF_UNINIT;
  if (e->kind != EV_READ || !e->state || (e->flags & other) || x->tracks ||
      x->config.explore_retries || !made_round(x, id))
    return;
  e->state = 0;
  e->flags |= EVF_RETRY;
  graph_set_state(&x->g, e->thread, 0);
}
