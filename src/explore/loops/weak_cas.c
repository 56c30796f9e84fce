// SPDX-License-Identifier: MIT
// Weak compare-exchanges that fail although they read what they expect. If one
// is only tried again, the thread is back where it was, and the execution
// without that round stands for the one with it (await.c).
//
// Not so if the read brings time (round_races.c), and what will be read is not
// known here. So where some execution looks at a clock such rounds are made,
// and left out, or kept, as others are.
#include "explore/loops/loops.h"

static bool points_into(const struct explorer *x, uint64_t value, uint32_t size,
                        object_id object) {
  uint64_t high = 0;
  if (size == 16)
    vm_wide_get(x->vm, value, &value, &high);
  return pointer_object(value) == object || pointer_object(high) == object;
}

// Has thread t told anybody where the object is?
static bool has_told(const struct explorer *x, thread_id t, object_id object) {
  const struct graph *g = &x->g;
  for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
    const struct event *e = &g->events[graph_at(g, t, i)];
    if (e->kind == EV_SPAWN &&
        points_into(x, vm_access(x->vm, e->pre)->value2, 8, object))
      return true;
    if (e->kind != EV_WRITE)
      continue;
    const struct location *l = vm_location(x->vm, e->loc);
    if (pointer_object(l->address) != object &&
        points_into(x, e->value, l->size, object))
      return true;
  }
  return false;
}

// What thread t finds at a location of an object that it has made and no other
// else knows; false: another thread might write there. (An address in disguise
// is not seen.)
static bool own_value(const struct explorer *x, thread_id t, uint32_t loc,
                      uint64_t *value) {
  if (loc >= x->g.locs.len || x->g.locs.at[loc].threads != UINT64_C(1) << t)
    return false;
  object_id object = pointer_object(vm_location(x->vm, loc)->address);
  const struct event_list *mine = &x->g.locs.at[loc].by_thread[t];
  const struct event *e = &x->g.events[*array_last(mine)];
  *value = e->value;
  return !(e->flags & EVF_UNINIT) && object_region(object) == t + 1 &&
         !has_told(x, t, object);
}

// Does thread t, whose CAS `a` of state s fails and leads to `now`, only come
// back to s? On the way it may put back what it expected, in memory of its own.
// (From other memory, or the location itself, it might learn what another
// thread has written there. The CAS might have failed with that, but then leads
// elsewhere if it matters what it has found.)
//
// Adds the events on the way, of which there are `n` already.
enum { FAR = 8 };
static bool only_tries_again(struct explorer *x, thread_id t, state_id s,
                             const struct access *a, state_id now,
                             struct event round[FAR + 1], unsigned *n) {
  while (*n <= FAR) {
    if (now == s || await_is_back(x, t, now))
      return true;
    const struct access b = *vm_access(x->vm, now);
    uint64_t value = a->value;
    bool is_own = (b.kind == ACC_READ || b.kind == ACC_WRITE) &&
                  b.order == ORD_NA && own_value(x, t, b.loc, &value);
    if (!is_own || (b.kind == ACC_WRITE && b.value != value))
      return false;
    round[(*n)++] =
        (struct event){.kind = b.kind == ACC_READ ? EV_READ : EV_WRITE,
                       .thread = (uint8_t)t,
                       .order = (uint8_t)b.order,
                       .loc = b.loc,
                       .value = value};
    now = vm_step(x->vm, now, b.kind == ACC_READ ? value : 0);
  }
  return false;
}

static bool fails_in_vain(struct explorer *x, thread_id t) {
  state_id s = x->g.threads[t].state;
  const struct access a = *vm_access(x->vm, s);
  if (round_may_take_time(x))
    return false;
  vm_try_begin(x->vm);
  state_id fails = vm_step(x->vm, vm_weak(x->vm, s), 1);
  state_id after = vm_step(x->vm, fails, a.value);
  struct event round[FAR + 1] = {{.kind = EV_READ,
                                  .thread = (uint8_t)t,
                                  .order = (uint8_t)a.order_fail,
                                  .loc = a.loc,
                                  .value = a.value}};
  unsigned n = 1;
  bool is_vain = only_tries_again(x, t, s, &a, after, round, &n);
  vm_try_end(x->vm);
  if (is_vain) {
    detour_note_vain(x, t, round, n);
    round_flags_note(x);
  }
  return is_vain;
}

const struct mechanism weak_cas_hooks = {
    .fails_in_vain = fails_in_vain,
};
