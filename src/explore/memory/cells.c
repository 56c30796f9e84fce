// SPDX-License-Identifier: MIT
// How memory is cut into locations. Copies and fills are cut into accesses:
// each of them asks for the size of the cell at an address, and gets what the
// graph has there. When the memory was not used yet (it is cleared right
// after malloc), the answer is a guess; and when the program then uses it in
// other pieces, the guess was wrong. Loads and stores have a size of their own,
// but others may have a part of their bytes in common with them (mixed.c); then
// they are made in pieces (vm_cut).
//
// Either is learned, and the search begins again from its root with better
// answers. They are part of the search from then on, the same in every
// execution. Nothing is taken apart that the program accesses as a whole only.
#include "explore/memory/memory.h"

static bool is_learned(const struct explorer *x, loc_id l) {
  for (uint32_t i = 0; i < x->cells.len; i++)
    if (x->cells.at[i] == l)
      return true;
  return false;
}

// The size of a location at the address that the graph has, or will have by
// what was learned; 0: none.
static uint64_t used_size(const struct explorer *x, uint64_t address) {
  for (uint32_t size = 1; size <= 16; size *= 2) {
    loc_id l = vm_known_location(x->vm, address, size);
    if (l != NO_LOC &&
        ((l < x->g.locs.len && x->g.locs.at[l].threads) || is_learned(x, l)))
      return size;
  }
  return 0;
}

// How many of the bytes are in cells of that size, which the first one has?
static uint64_t same_bytes(const struct explorer *x, uint64_t address,
                           uint64_t size, uint64_t bytes) {
  uint64_t n = size;
  while (n < bytes && used_size(x, address + n) == size)
    n += size;
  return n;
}

uint64_t cells_answer(const struct explorer *x, uint64_t address,
                      uint64_t bytes) {
  enum { NEAR = 8, MOST = 1 << 16 };
  uint64_t size = 0, gap = 0;
  bytes = bytes < MOST ? bytes : MOST; // it is asked again
  while (gap < bytes + NEAR && !(size = used_size(x, address + gap)))
    gap++;
  if (gap == 0)
    return vm_cell_answer(size, same_bytes(x, address, size, bytes));
  if (gap >= NEAR)
    return vm_cell_answer(0, gap - NEAR + 1);
  for (size = NEAR / 2; size > gap || address % size != 0;)
    size /= 2;
  return vm_cell_answer(size, size);
}

static enum op op_of(const struct explorer *x, event_id id) {
  site_id pc;
  return vm_backtrace(x->vm, x->g.events[id].pre, &pc, 1)
             ? (enum op)x->prog->code.at[pc].op
             : OP_COUNT;
}

// Is the event a part of a copy or a fill?
static bool is_part(const struct explorer *x, event_id id) {
  enum op op = op_of(x, id);
  return op == OP_copy || op == OP_fill;
}

// One of them is a part of a copy or fill that has to follow the other.
static bool learn_use(struct explorer *x, event_id id, event_id other) {
  loc_id a = x->g.events[id].loc, b = x->g.events[other].loc;
  bool a_is_part = is_part(x, id), b_is_part = is_part(x, other);
  bool a_is_less = vm_location(x->vm, a)->size < vm_location(x->vm, b)->size;
  if (!a_is_part && !b_is_part)
    return false;
  loc_id used = a_is_part && (!b_is_part || !a_is_less) ? b : a;
  if (is_learned(x, used)) // that did not help
    return false;
  array_push(&x->cells, used);
  return true;
}

// Locks are words of the library.
static bool may_be_cut(const struct explorer *x, event_id id) {
  return op_of(x, id) != OP_sys;
}

static bool is_all_plain(const struct graph *g, loc_id l) {
  const struct graph_loc *loc = &g->locs.at[l];
  return loc->threads && loc->na == loc->co.len - 1 + loc->reads.len;
}

// What lies beside it in the same object and looks the same will be used in the
// same way: a loop over the bytes of a struct comes to all of its members.
static bool cut_alike(struct explorer *x, loc_id l, uint32_t cuts) {
  const struct location *where = vm_location(x->vm, l);
  object_id object = pointer_object(where->address);
  uint32_t size = where->size;
  bool is_new = cuts && vm_cut(x->vm, l, cuts);
  if (!cuts || !is_all_plain(&x->g, l))
    return is_new;
  for (loc_id o = 0; o < x->g.locs.len; o++) {
    where = vm_location(x->vm, o);
    if (where->size == size && pointer_object(where->address) == object &&
        is_all_plain(&x->g, o))
      is_new |= vm_cut(x->vm, o, cuts);
  }
  return is_new;
}

// Where the accesses of `l` are cut that have bytes in common with those of
// `other`: where the latter begin and end. Nothing tells the bytes in between
// apart, so they stay together. (Unless all of them are plain: a loop over the
// bytes of a struct would come to one after the other.)
static uint32_t cuts_of(const struct location *l, const struct location *other,
                        bool is_plain) {
  uint64_t all = l->address | l->size | other->address | other->size,
           cell = is_plain ? all & -all : 0;
  uint32_t cuts = 0;
  for (uint32_t i = 1; i < l->size; i++)
    if (cell ? i % cell == 0
             : l->address + i == other->address ||
                   l->address + i == other->address + other->size)
      cuts |= UINT32_C(1) << i;
  return cuts;
}

bool cells_cut(struct explorer *x, loc_id l, loc_id other) {
  const struct location *one = vm_location(x->vm, l),
                        *two = vm_location(x->vm, other);
  uint32_t cuts = cuts_of(one, two, /*is_plain=*/false),
           other_cuts = cuts_of(two, one, /*is_plain=*/false);
  bool is_new = cuts && vm_cut(x->vm, l, cuts);
  is_new |= other_cuts && vm_cut(x->vm, other, other_cuts);
  return is_new;
}

static bool learn_cut(struct explorer *x, event_id id, event_id other) {
  loc_id a = x->g.events[id].loc, b = x->g.events[other].loc;
  if (!may_be_cut(x, id) || !may_be_cut(x, other))
    return false;
  const struct location *one = vm_location(x->vm, a),
                        *two = vm_location(x->vm, b);
  bool is_plain =
      x->g.events[id].order == ORD_NA && x->g.events[other].order == ORD_NA;
  uint32_t cuts = cuts_of(one, two, is_plain),
           other_cuts = cuts_of(two, one, is_plain);
  bool is_new = cut_alike(x, a, cuts);
  is_new |= cut_alike(x, b, other_cuts);
  check(is_new);
  return true;
}

bool cells_may_begin_again(const struct explorer *x) {
  bool was_told =
      x->observer.on_execution && (x->result.executions || x->result.blocked);
  return !was_told || x->observer.on_begin_again || x->team;
}

void cells_take(struct explorer *x, const struct assumptions *a) {
  for (uint32_t i = 0; i < a->cells.len; i++) {
    const struct assumed_cell *c = &a->cells.at[i];
    loc_id l = vm_location_like(
        x->vm, &(struct location){.address = c->address, .size = c->size});
    if (c->cuts)
      vm_cut(x->vm, l, c->cuts);
    if (c->is_used)
      array_push(&x->cells, l);
  }
  for (uint32_t i = 0; i < a->looked.len; i++)
    array_push(&x->looked, a->looked.at[i]);
}

void cells_tell(const struct explorer *x, struct assumptions *a) {
  for (loc_id l = 0; l < vm_location_count(x->vm); l++) {
    const struct location *where = vm_location(x->vm, l);
    struct assumed_cell c = {where->address, where->size, where->cuts,
                             is_learned(x, l)};
    if (c.cuts || c.is_used)
      array_push(&a->cells, c);
  }
  for (uint32_t i = 0; i < x->looked.len; i++)
    array_push(&a->looked, x->looked.at[i]);
}

bool cells_learn(struct explorer *x, event_id id, event_id other) {
  if (!cells_may_begin_again(x) ||
      (!learn_use(x, id, other) && !learn_cut(x, id, other)))
    return false;
  x->restart |= RESTART_WITH_MEMORY;
  return true;
}
