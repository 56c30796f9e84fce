// SPDX-License-Identifier: MIT
// Small steps from a program to a simpler one, for the report of a failure.
#include "program.h"

#include <string.h>

enum way {
  WAY_REMOVE,
  WAY_UNGUARD,
  WAY_UNINDEX, // the address depends on nothing
  WAY_ZERO,    // an address or a value depends on a register only for show
  WAY_CONSTANT,
  WAY_RELAX,
  WAY_RELAX_FAIL,
  WAY_PLAINER, // an RMW becomes a store, a CAS an exchange
  WAYS
};

static void remove_at(struct program *p, unsigned t, unsigned i) {
  p->len[t]--;
  memmove(&p->ops[t][i], &p->ops[t][i + 1],
          (p->len[t] - i) * sizeof p->ops[t][0]);
}

// What a thread does to a mutex belongs together: all of it goes, or nothing.
static bool is_mutex(const struct program *p, unsigned t, unsigned loc) {
  for (unsigned i = 0; i < p->len[t]; i++)
    if (p->ops[t][i].kind == DO_UNLOCK && p->ops[t][i].loc == loc)
      return true;
  return false;
}

static bool is_of_mutex(const struct program *p, unsigned t,
                        const struct action *a) {
  return action_is_access(a) && is_mutex(p, t, a->loc);
}

static void remove_mutex(struct program *p, unsigned t, unsigned loc) {
  for (unsigned i = p->len[t]; i-- > 0;) {
    const struct action *a = &p->ops[t][i];
    if (a->loc == loc && action_is_access(a))
      remove_at(p, t, i);
  }
}

// The last thread can go when it is empty.
static void remove_thread(struct program *p, unsigned thread) {
  if (thread != p->nthreads - 1u || p->len[thread])
    return;
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = p->len[t]; i-- > 0;) {
      const struct action *a = &p->ops[t][i];
      if ((a->kind == DO_SPAWN || a->kind == DO_JOIN) && a->thread == thread)
        remove_at(p, t, i);
    }
  p->nthreads--;
}

static bool is_freed(const struct program *p, unsigned loc) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      if (p->ops[t][i].kind == DO_FREE && p->ops[t][i].loc == loc)
        return true;
  return false;
}

static void remove_action(struct program *p, unsigned t, unsigned i) {
  const struct action *a = &p->ops[t][i];
  if (a->kind == DO_ALLOC && is_freed(p, a->loc))
    return;
  if (a->kind == DO_SPAWN)
    remove_thread(p, a->thread);
  else if (is_of_mutex(p, t, a))
    remove_mutex(p, t, a->loc);
  else
    remove_at(p, t, i);
}

static void simplify(struct action *a, enum way way) {
  switch (way) {
  case WAY_UNGUARD:
    a->guard = (struct condition){0};
    break;
  case WAY_UNINDEX:
    a->other = a->loc;
    a->index = (struct operand){.reg = NO_REGISTER};
    break;
  case WAY_ZERO:
    if (action_is_indexed(a) && a->other != a->loc)
      a->other = a->loc;
    else if (a->value.reg != NO_REGISTER)
      a->value = (struct operand){a->value.reg, 1, COMPUTE_ZERO};
    break;
  case WAY_CONSTANT:
    if (a->value.reg != NO_REGISTER)
      a->value = (struct operand){.reg = NO_REGISTER, .plus = 1};
    else if (a->expected.reg != NO_REGISTER)
      a->expected = (struct operand){.reg = NO_REGISTER};
    break;
  case WAY_RELAX:
    if (action_is_access(a))
      a->order = ORD_RLX;
    break;
  case WAY_RELAX_FAIL:
    if (a->kind == DO_CAS)
      a->order_fail = ORD_RLX;
    break;
  case WAY_PLAINER:
    if (a->kind == DO_CAS)
      a->kind = DO_EXCHANGE;
    else if (a->kind == DO_ADD || a->kind == DO_EXCHANGE) {
      a->kind = DO_STORE;
      a->dst = NO_REGISTER;
      a->order = (uint8_t)order_of_write((enum order)a->order);
    }
    break;
  case WAY_REMOVE:
  case WAYS:
    break;
  }
}

bool program_shrink(const struct program *p, unsigned i, struct program *ret) {
  unsigned at = i / WAYS;
  enum way way = (enum way)(i % WAYS);
  for (unsigned t = p->nthreads; t-- > 0; at -= p->len[t]) {
    if (at >= p->len[t])
      continue;
    *ret = *p;
    if (way == WAY_REMOVE)
      remove_action(ret, t, at);
    else if (!is_of_mutex(p, t, &p->ops[t][at]))
      simplify(&ret->ops[t][at], way);
    return true;
  }
  return false;
}
