// SPDX-License-Identifier: MIT
// What threads could do alone (alone.h), whatever the values are. Of each
// location a few values are remembered, for they may be addresses; if there are
// more of them, or one that nobody knows, a read yields an unknown value
// (vm/unknown.c), and the thread goes all ways that this may take it. So the
// graph stays small where values grow, and includes all that threads can do;
// but a value does not say any more who could have written it: each location is
// one cell.
#include "explore/justify/alone_graph.h"

enum { MOST_KNOWN = 3 }; // of a location

void blind_step(struct alone *a, uint32_t from, state_id s, uint64_t value,
                undef_id undef, struct move m) {
  if (!vm_step_blindly(a->vm, s, value, undef, &a->ways))
    alone_give_up(a);
  for (uint32_t i = 0; i < a->ways.len && !a->is_too_much; i++)
    alone_add_move(a, from, a->ways.at[i], m);
}

// ---- values

static void learn(struct alone *a, struct known k) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->known.len; i++) {
    const struct known *o = &a->known.at[i];
    if (o->loc != k.loc)
      continue;
    if (o->is_any || (!k.is_any && o->value == k.value))
      return;
    n++;
  }
  if (n == MOST_KNOWN)
    k = (struct known){.loc = k.loc, .is_any = true};
  array_push(&a->known, k);
  a->has_moved = true;
}

// What was never written is 0, as everywhere: nothing may depend on it.
static void learn_initial(struct alone *a, uint32_t loc) {
  const struct location *l = vm_location(a->vm, loc);
  learn(a, (struct known){loc, l->object == NO_OBJECT ? l->initial : 0, false});
}

uint32_t blind_write(struct alone *a, const struct access *k) {
  bool is_any = k->flags & ACCF_UNINIT;
  learn(a, (struct known){k->loc, is_any ? 0 : k->value, is_any});
  return alone_cell(a, k->loc, 0);
}

// ---- reads

// A compare-exchange succeeds or fails, whatever it reads.
static void compare(struct alone *a, uint32_t from, uint32_t cell) {
  state_id s = a->nodes.at[from].state;
  if (vm_access(a->vm, s)->flags & ACCF_UNLESS)
    alone_give_up(a);
  for (unsigned succeeds = 0; succeeds < 2; succeeds++) {
    uint8_t order;
    state_id decided = vm_decided(a->vm, s, succeeds);
    event_read_flags(vm_access(a->vm, decided), 0, /*is_uninit=*/false, &order);
    blind_step(a, from, decided, 0, UNDEF_ALL, alone_reading(order, cell));
  }
}

// Does the access go on with this value? A lock is free then.
static bool goes_on(const struct access *k, struct known *v) {
  if (k->kind == ACC_TAKE)
    return v->is_any || take_accepts(k, v->value);
  if (k->kind != ACC_LOCK_READ)
    return true;
  bool is_free = v->is_any || v->value == 0;
  *v = (struct known){.loc = v->loc};
  return is_free;
}

void blind_read(struct alone *a, uint32_t from) {
  const struct access k = *vm_access(a->vm, a->nodes.at[from].state);
  uint32_t cell = alone_cell(a, k.loc, 0), i = a->nodes.at[from].looked;
  learn_initial(a, k.loc);
  if (k.kind == ACC_CAS_READ && i == 0)
    compare(a, from, cell);
  for (; i < a->known.len && k.kind != ACC_CAS_READ; i++) {
    struct known v = a->known.at[i];
    if (v.loc == k.loc && goes_on(&k, &v))
      blind_step(a, from, a->nodes.at[from].state, v.value,
                 v.is_any ? UNDEF_ALL : UNDEF_NONE,
                 alone_reading(k.order, cell));
  }
  a->nodes.at[from].looked = a->known.len;
}

// ---- locations

bool blind_has_overlaps(const struct alone *a) {
  for (uint32_t i = 0; i < a->cells.len; i++)
    if (vm_next_overlap(a->vm, a->cells.at[i].loc, NO_LOC) != NO_LOC)
      return true;
  return false;
}
