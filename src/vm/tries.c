// SPDX-License-Identifier: MIT
// Weak compare-exchanges whose tries are counted: one that fails for no reason
// leads to another try of the same, with one try less left, and so on to where
// the loop gives up. These states are a *chain*.
//
// With vm_give_up, such a failure leads to the end of its chain at once, as if
// all that are left failed for no reason, too. That stands for all numbers of
// failures if nothing but their number tells the states of a chain apart
// (explore/loops/counted_tries.c). Here this is asked of each step out of a
// chain's first state, when it is taken for the first time: the other states of
// the chain take the same step,
//
//   - and lead to the same state, or do so behind the write if it succeeds;
//   - or, if it fails, to states that are a chain again, each to the one with
//     as many tries less. If that comes to the end, so do failures of the
//     chain's first state that read the same again.
//
// Otherwise tries differ (vm_tries_differ).
#include "vm/cold.h"

#include <string.h>

enum { MAX_TRIES = 64 };

// at[0] to at[end - 1] are tries of the same, at[end] is none. end is 0 if they
// go round in a circle.
struct chain {
  state_id at[MAX_TRIES + 1];
  uint32_t end;
};

// May the pending access fail for no reason, or has that just been decided?
static bool is_try(const struct vm *vm, state_id s) {
  const struct access *a = vm_access(vm, s);
  uint32_t func, pc, below;
  if (a->kind != ACC_CAS_READ ||
      (a->flags && a->flags != ACCF_WEAK && a->flags != ACCF_FAILS))
    return false;
  frozen_frame(vm, state_top_frame(vm, s), &func, &pc, &below);
  return imm_access_of(vm->prog->code.at[pc].imm).is_weak;
}

static bool is_same(struct access a, struct access b) {
  a.flags = b.flags = 0;
  return memcmp(&a, &b, sizeof a) == 0;
}

static void differ(struct vm *vm) {
  vm->cold->tries_differ = true;
}

static struct chain chain_of(struct vm *vm, state_id s) {
  const struct access a = *vm_access(vm, s);
  struct chain c = {.at = {s}};
  for (uint32_t n = 1; n <= MAX_TRIES; n++) {
    state_id next =
        state_plain_step(vm, c.at[n - 1], ACCF_FAILS, a.value, UNDEF_NONE);
    for (uint32_t i = 0; i < n; i++)
      if (c.at[i] == next)
        return c;
    c.at[n] = next;
    if (!is_try(vm, next) || !is_same(*vm_access(vm, next), a)) {
      c.end = n;
      return c;
    }
  }
  differ(vm);
  return c;
}

static bool do_merge(struct vm *vm, state_id s, state_id t) {
  if (s == t)
    return true;
  const struct access a = *vm_access(vm, s), b = *vm_access(vm, t);
  return a.kind == ACC_RMW_WRITE && memcmp(&a, &b, sizeof a) == 0 &&
         vm_step(vm, s, 0) == vm_step(vm, t, 0);
}

// The states of the chain fail with that value, the first one with `next`: do
// they lead to a chain?
static bool lead_to_chain(struct vm *vm, const struct chain *c, uint64_t value,
                          state_id next) {
  if (!is_try(vm, next))
    return false;
  struct chain later = chain_of(vm, next);
  if (later.end + 1 < c->end)
    return false;
  for (uint32_t i = 1; i < c->end; i++)
    if (state_plain_step(vm, c->at[i], 0, value, UNDEF_NONE) != later.at[i])
      return false;
  bool reads_expected = vm_access(vm, next)->value == value;
  for (uint32_t i = 0; !reads_expected && i < later.end; i++)
    if (state_plain_step(vm, later.at[i], 0, value, UNDEF_NONE) !=
        later.at[i + 1])
      return false;
  return true;
}

static bool lead_to_same(struct vm *vm, const struct chain *c, uint64_t value,
                         state_id next, bool succeeds) {
  for (uint32_t i = 1; i < c->end; i++) {
    state_id other = state_plain_step(vm, c->at[i], 0, value, UNDEF_NONE);
    if (succeeds ? !do_merge(vm, next, other) : next != other)
      return false;
  }
  return true;
}

// Do all of the chain what the first one does?
static bool are_alike(struct vm *vm, const struct chain *c, uint64_t value,
                      state_id next) {
  bool succeeds = value == vm_access(vm, c->at[0])->value;
  return lead_to_same(vm, c, value, next, succeeds) ||
         (!succeeds && lead_to_chain(vm, c, value, next));
}

state_id tries_step(struct vm *vm, state_id s, uint64_t value, undef_id undef,
                    state_id next) {
  const struct access a = *vm_access(vm, s);
  bool fails = a.flags == ACCF_FAILS;
  if (vm->cold->tries_differ || !is_try(vm, s) ||
      (fails && (undef || value != a.value)))
    return next;
  // Where somebody is warned, each number of tries has to be seen.
  uint64_t withheld = vm->withheld;
  vm_try_begin(vm);
  const struct chain c = chain_of(vm, s);
  if (c.end > 1 && fails)
    next = c.at[c.end];
  else if (c.end > 1 && (undef || !are_alike(vm, &c, value, next)))
    differ(vm);
  vm_try_end(vm);
  if (vm->withheld != withheld)
    differ(vm);
  return next;
}

uint32_t tries_in_step(struct vm *vm, state_id s, uint64_t value,
                       undef_id undef) {
  const struct access a = *vm_access(vm, s);
  if (!vm->cold->gives_up || a.flags != ACCF_FAILS || undef ||
      value != a.value || !is_try(vm, s))
    return 1;
  state_id next = state_known_step(vm, s, value, undef);
  bool differed = vm->cold->tries_differ;
  vm_try_begin(vm);
  const struct chain c = chain_of(vm, s);
  vm_try_end(vm);
  vm->cold->tries_differ = differed;
  return c.end > 1 && (!next || next == c.at[c.end]) ? c.end : 1;
}

void vm_give_up(struct vm *vm, bool gives_up) {
  vm->cold->gives_up = gives_up;
  vm->cold->tries_differ = false;
}

bool vm_tries_differ(const struct vm *vm) {
  return vm->cold->tries_differ;
}
