// SPDX-License-Identifier: MIT
// Leaks: heap objects that were not freed when all threads have ended, and to
// which no pointer leads that starts in a global variable.
#include "explore/findings/findings.h"

#include <stdio.h>

static bool is_unfreed(const struct graph *g, object_no o) {
  const struct graph_object *object = &g->objects.at[o];
  return object->alloc != NO_EVENT && object->free == NO_EVENT &&
         !(g->events[object->alloc].flags & EVF_STACK);
}

// Takes the object that a word points into off the list; tags in the high bits
// of the pointer do not matter.
static bool find_word(struct explorer *x, uint64_t word) {
  uint64_t pointer = word & (((uint64_t)1 << POINTER_BITS) - 1);
  for (uint32_t i = 0; i < x->memory.lost.len; i++) {
    object_no o = x->memory.lost.at[i];
    uint64_t first = vm_object_address(x->vm, o);
    uint64_t size = x->g.events[x->g.objects.at[o].alloc].value;
    if (pointer < first || pointer - first > size)
      continue;
    x->memory.lost.at[i] = array_pop(&x->memory.lost);
    return true;
  }
  return false;
}

static bool is_lost(const struct explorer *x, object_no o) {
  for (uint32_t i = 0; i < x->memory.lost.len; i++)
    if (x->memory.lost.at[i] == o)
      return true;
  return false;
}

// The last value that was written to a location, 0 if none was.
static uint64_t last_value(const struct explorer *x, loc_id loc) {
  if (loc >= x->g.locs.len || x->g.locs.at[loc].co.len < 2)
    return 0;
  return x->g.events[*array_last(&x->g.locs.at[loc].co)].value;
}

// The same for 8 bytes of one that is written in pieces, which begin there.
static uint64_t last_of_pieces(const struct explorer *x, uint64_t address,
                               uint32_t cuts) {
  uint64_t value = 0;
  for (uint32_t i = 0, end; i < 8; i = end) {
    for (end = i + 1; end < 8 && !(cuts >> end & 1);)
      end++;
    loc_id piece = vm_known_location(x->vm, address + i, end - i);
    if (piece != NO_LOC)
      value |= last_value(x, piece) << 8 * i;
  }
  return value;
}

// Follows the last value of a location, if it is reachable itself.
static bool follow(struct explorer *x, loc_id loc) {
  const struct location *l = vm_location(x->vm, loc);
  uint64_t low, high = 0;
  if (l->size < 8)
    return false;
  if (l->object != NO_OBJECT &&
      (!is_unfreed(&x->g, l->object) || is_lost(x, l->object)))
    return false;
  low = l->cuts ? last_of_pieces(x, l->address, l->cuts) : last_value(x, loc);
  if (l->size == 16 && l->cuts)
    high = last_of_pieces(x, l->address + 8, (uint32_t)l->cuts >> 8);
  else if (l->size == 16)
    vm_wide_get(x->vm, low, &low, &high);
  bool found = low && find_word(x, low);
  return (high && find_word(x, high)) || found;
}

enum outcome leak_check(struct explorer *x) {
  x->memory.lost.len = 0;
  for (object_no o = 0; o < x->g.objects.len; o++)
    if (is_unfreed(&x->g, o))
      array_push(&x->memory.lost, o);
  for (bool found = true; found && x->memory.lost.len;) {
    found = false;
    for (loc_id l = 0; l < vm_location_count(x->vm) && x->memory.lost.len; l++)
      found |= follow(x, l);
  }
  enum outcome o = GO_ON;
  for (uint32_t i = 0; o == GO_ON && i < x->memory.lost.len; i++) {
    event_id alloc = x->g.objects.at[x->memory.lost.at[i]].alloc;
    struct finding f = error_at(x, FIND_LEAK, alloc);
    snprintf(f.message, sizeof f.message,
             "%llu bytes that are allocated here are never freed",
             (unsigned long long)x->g.events[alloc].value);
    o = error_add(x, f);
  }
  return o;
}
