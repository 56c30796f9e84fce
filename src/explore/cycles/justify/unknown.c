// SPDX-License-Identifier: MIT
// What threads could do alone (over.h), whatever the values are. Of each
// location a few values are remembered, for they may be addresses; if there are
// more of them, or an unknown one, a read yields an unknown value
// (vm/unknown.c), and the thread goes all ways that this may take it. So the
// graph stays small where values grow, and includes all that threads can do;
// but a value does not say any more who could have written it: each location is
// one cell.
//
// See thin.c for threads that read values that are not known yet beside all
// those that are known.
#include "explore/cycles/justify/over_graph.h"

// Of a location. Coarsely, more addresses: if one is unknown because of this,
// what the thread would do is not known.
enum { MOST_KNOWN = 3, MOST_ADDRESSES = 16 };

void blind_step(struct over *a, uint32_t from, state_id s, uint64_t value,
                undef_id undef, struct move m) {
  if (!vm_step_blindly(a->vm, s, value, undef, &a->ways))
    over_give_up(a);
  for (uint32_t i = 0; i < a->ways.len && !a->is_too_much; i++)
    over_add_move(a, from, a->ways.at[i], m);
}

// ---- values

static bool is_address(uint64_t value) {
  return pointer_canonical(value) && value >= POINTER_WINDOW;
}

static void learn(struct over *a, struct known k) {
  uint32_t n = 0;
  bool is_one_of_many = a->is_coarse && is_address(k.value);
  for (uint32_t i = 0; i < a->known.len; i++) {
    const struct known *o = &a->known.at[i];
    if (o->loc != k.loc)
      continue;
    if (o->is_any || (!k.is_any && o->value == k.value))
      return;
    n += !a->is_coarse || is_address(o->value) == is_one_of_many;
  }
  uint32_t most = is_one_of_many ? MOST_ADDRESSES : MOST_KNOWN;
  if (n == most && a->is_coarse) {
    a->is_short = true;
    return;
  }
  if (n == most && !a->is_thin)
    k = (struct known){.loc = k.loc, .is_any = true};
  if (a->known.len == MOST_CELLS)
    over_give_up(a);
  array_push(&a->known, k);
  a->has_moved |= !a->is_thin;
}

// What was never written is 0, as everywhere: nothing may depend on it.
static void learn_initial(struct over *a, uint32_t loc) {
  const struct location *l = vm_location(a->vm, loc);
  learn(a, (struct known){loc, l->object == NO_OBJECT ? l->initial : 0, false});
}

uint32_t blind_write(struct over *a, const struct access *k) {
  bool is_any = k->flags & ACCF_UNINIT;
  if (!is_any || !a->is_thin)
    learn(a, (struct known){k->loc, is_any ? 0 : k->value, is_any});
  return over_cell(a, k->loc, 0);
}

// ---- reads

// A compare-exchange succeeds or fails, whatever it reads.
static void compare(struct over *a, uint32_t from, uint32_t cell,
                    uint64_t value, undef_id undef) {
  state_id s = a->nodes.at[from].state;
  for (unsigned succeeds = 0; succeeds < 2; succeeds++) {
    uint8_t order;
    state_id decided = vm_decided(a->vm, s, succeeds);
    event_read_flags(vm_access(a->vm, decided), 0, /*is_uninit=*/false, &order);
    blind_step(a, from, decided, value, undef,
               over_reading(a, from, order, cell));
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

static void read_value(struct over *a, uint32_t from, uint32_t cell,
                       struct known v) {
  state_id s = a->nodes.at[from].state;
  const struct access k = *vm_access(a->vm, s);
  undef_id undef = v.is_any ? UNDEF_ALL : UNDEF_NONE;
  if (k.kind == ACC_CAS_READ)
    compare(a, from, cell, v.value, undef);
  else if (goes_on(&k, &v)) // with 0, of a lock
    blind_step(a, from, s, v.value, v.is_any ? UNDEF_ALL : UNDEF_NONE,
               over_reading(a, from, k.order, cell));
}

void blind_read(struct over *a, uint32_t from) {
  const struct access k = *vm_access(a->vm, a->nodes.at[from].state);
  uint32_t cell = over_cell(a, k.loc, 0), i = a->nodes.at[from].looked;
  bool is_cas = k.kind == ACC_CAS_READ;
  learn_initial(a, k.loc);
  uint32_t end = a->is_thin ? a->visible : a->known.len;
  if (!a->nodes.at[from].is_done && (is_cas || a->is_thin))
    read_value(a, from, cell, (struct known){.loc = k.loc, .is_any = true});
  for (; i < end && (!is_cas || a->is_thin); i++)
    if (a->known.at[i].loc == k.loc)
      read_value(a, from, cell, a->known.at[i]);
  a->nodes.at[from].looked = end;
}

// An access at an unknown address: the thread goes on, with any value.
void blind_pass(struct over *a, uint32_t from) {
  const struct node n = a->nodes.at[from];
  if (n.is_done)
    return;
  a->nodes.at[from].is_done = true;
  const struct access k = *vm_access(a->vm, n.state);
  bool is_unknown = access_reads(&k) && k.kind != ACC_LOCK_READ;
  undef_id undef = is_unknown ? UNDEF_ALL : UNDEF_NONE;
  for (unsigned succeeds = 0; succeeds < 2; succeeds++)
    if (k.kind == ACC_CAS_READ)
      blind_step(a, from, vm_decided(a->vm, n.state, succeeds), 0, undef,
                 (struct move){.kind = MOVE});
    else if (!succeeds)
      blind_step(a, from, n.state, 0, undef, (struct move){.kind = MOVE});
}
