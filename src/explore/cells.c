// SPDX-License-Identifier: MIT
// How copies and fills are cut into accesses. Each of them asks for the size of
// the cell at an address, and gets what the graph has there. When nobody has
// used the memory yet (it is cleared right after malloc), the answer is a
// guess; and when the program then uses it in other pieces, the guess was
// wrong.
//
// So what it was used for is learned, and the search begins again from its root
// with better answers. They are part of the search from then on, the same in
// every execution. It begins again only as long as nothing was counted or
// reported, which is enough in practice: memory is mostly cleared and used in
// the first execution. Nothing is ever taken apart that the program itself
// accesses as a whole.
#include "explore/internal.h"

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

uint64_t cells_size(const struct explorer *x, uint64_t address) {
  enum { NEAR = 8 };
  for (uint64_t gap = 0; gap < NEAR; gap++) {
    uint64_t size = used_size(x, address + gap);
    if (!size)
      continue;
    if (gap == 0)
      return size;
    for (size = NEAR / 2; size > gap || address % size != 0;)
      size /= 2;
    return size;
  }
  return 0;
}

// Is the event a part of a copy or a fill?
static bool is_part(const struct explorer *x, event_id id) {
  site_id pc;
  if (!vm_backtrace(x->vm, x->g.events[id].pre, &pc, 1))
    return false;
  enum op op = x->prog->code.at[pc].op;
  return op == OP_copy || op == OP_fill;
}

static bool may_begin_again(const struct explorer *x) {
  const struct explore_result *r = &x->result;
  return !x->config.team && !r->executions && !r->blocked && !r->cuts &&
         !r->findings.len;
}

bool cells_learn(struct explorer *x, event_id id, event_id other) {
  loc_id a = x->g.events[id].loc, b = x->g.events[other].loc;
  bool a_is_part = is_part(x, id), b_is_part = is_part(x, other);
  bool a_is_less = vm_location(x->vm, a)->size < vm_location(x->vm, b)->size;
  if (!may_begin_again(x) || (!a_is_part && !b_is_part))
    return false;
  loc_id used = a_is_part && (!b_is_part || !a_is_less) ? b : a;
  if (is_learned(x, used)) // that did not help
    return false;
  array_push(&x->cells, used);
  x->begins_again = true;
  return true;
}
