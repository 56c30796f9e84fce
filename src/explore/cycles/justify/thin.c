// SPDX-License-Identifier: MIT
// All values that could be written in models in which branches order nothing
// that they do not guard, or nothing at all (model.h: guesses_cores). There a
// branch may be taken because of a value that is written only because of it:
//   if (x) z = 1; y = z || x = y
// So what threads do with the values that are known, again and again until
// nothing is new, is not all. But no value is computed from itself (an axiom of
// each of these models), so these are all values: each read yields every value
// that is known of its location, or one that is unknown, with which branches
// go both ways (vm/unknown.c). What is computed from the latter, and where that
// is written, is not known and does not count.
//
// Why each write w of an execution is among them: by induction on addr | data |
// rf. What its address and its value are computed from was written by writes
// that are before w in that order, so these values are known; let the other
// reads before w yield unknown values. Then branches may go the way that they
// go in the execution, and w is written as it is there. (Where one of those
// other reads is an address, the access there is passed by. Calls through it,
// and what has such a size, are not: what a thread does behind those is only
// found with a known value. It would be missed if each value that is known
// before w makes the thread wait for ever, or fail.)
//
// Most programs have no cycles at all, and that is asked first, coarsely: of
// each location only a few values are known, which is enough for addresses; all
// reads may yield unknown ones, so threads still do whatever they do in an
// execution, unless an address is unknown because some of the values are not
// known: then this says nothing.
//
// The values of the nth round have n writes before them in that order, and
// those of an execution not more than it has writes.
#include "explore/cycles/justify/guesses.h"
#include "explore/cycles/justify/over_graph.h"

// False: of a value that only that machine knows.
static bool add_value(struct explorer *x, const struct over *a,
                      const struct known *k, struct guesses *ret) {
  const struct location *l = vm_location(a->vm, k->loc);
  if (l->size > sizeof(uint64_t))
    return false;
  struct guess like = {.loc = vm_location_like(x->vm, l), .value = k->value};
  guesses_find(ret, &like);
  return true;
}

enum thin { THIN_NONE, THIN_CYCLES, THIN_OVERLAPS, THIN_TOO_MUCH };

// Has no execution a cycle, whatever the values are?
static bool has_none(struct explorer *x) {
  struct vm *vm =
      vm_new_blind(x->prog, vm_config_of(x->vm), /*passes_by=*/true);
  struct over *a = over_new_unknown(x, vm, /*is_coarse=*/true);
  bool ok = a && !over_has_overlaps(a) && !over_has_cycles(a, ~0ull);
  over_free(a);
  vm_free(vm);
  return ok;
}

// Adds all values that could be written in any execution, unless there are no
// cycles.
static enum thin find_values(struct explorer *x, struct guesses *ret) {
  struct vm *vm =
      vm_new_blind(x->prog, vm_config_of(x->vm), /*passes_by=*/true);
  struct over *a = over_new_unknown(x, vm, /*is_coarse=*/false);
  enum thin now = THIN_TOO_MUCH;
  if (a && over_has_overlaps(a))
    now = THIN_OVERLAPS;
  else if (a)
    now = over_has_cycles(a, ~0ull) ? THIN_CYCLES : THIN_NONE;
  for (uint32_t i = 0; now == THIN_CYCLES && i < a->known.len; i++)
    if (!add_value(x, a, &a->known.at[i], ret))
      now = THIN_TOO_MUCH;
  over_free(a);
  vm_free(vm);
  return now;
}

struct over *over_new_thin(struct explorer *x, uint64_t threads,
                           struct guesses *ret, const char **gave_up) {
  struct guesses values = {0};
  if (has_none(x))
    return NULL;
  enum thin thin = find_values(x, &values);
  struct over *a = thin == THIN_CYCLES ? over_new(x, &values) : NULL;
  array_done(&values);
  if (a && !over_foresee(a, threads, ret).is_too_much)
    return a;
  over_free(a);
  if (thin != THIN_NONE)
    *gave_up = thin == THIN_OVERLAPS
                   ? "load buffering of accesses of different size"
                   : "too many values that loads might read before they are "
                     "written";
  return NULL;
}
