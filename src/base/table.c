// SPDX-License-Identifier: MIT
// Linear probing in a table of which at most half is used.
#include "base/table.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 64 };

static void put(struct table *t, struct table_slot s) {
  uint32_t i = s.hash & t->mask;
  while (t->slots[i].number)
    i = (i + 1) & t->mask;
  t->slots[i] = s;
}

static void grow(struct table *t) {
  struct table old = *t;
  uint32_t size = old.slots ? (old.mask + 1) * 2 : SMALLEST;
  if (!size)
    fatal_out_of_memory((UINT64_C(2) << 32) * sizeof *t->slots);
  t->slots = xcalloc(size, sizeof *t->slots);
  t->mask = size - 1;
  for (uint32_t i = 0; old.slots && i <= old.mask; i++)
    if (old.slots[i].number)
      put(t, old.slots[i]);
  free(old.slots);
}

void table_add(struct table *t, uint32_t hash, uint32_t number) {
  check(number != TABLE_NONE);
  if (!t->slots || t->count * UINT64_C(2) > t->mask)
    grow(t);
  put(t, (struct table_slot){number + 1, hash});
  t->count++;
}

// What stands behind the gap, up to the next free slot, moves into it unless it
// would then stand before its own place: so no mark of the gap is needed
// (Knuth, The Art of Computer Programming 3, algorithm 6.4 R).
void table_remove(struct table *t, uint32_t hash, uint32_t number) {
  check(t->slots);
  uint32_t gap = hash & t->mask;
  while (t->slots[gap].number != number + 1) {
    check(t->slots[gap].number);
    gap = (gap + 1) & t->mask;
  }
  for (uint32_t i = (gap + 1) & t->mask; t->slots[i].number;
       i = (i + 1) & t->mask) {
    uint32_t from_home = (i - t->slots[i].hash) & t->mask;
    if (from_home >= ((i - gap) & t->mask)) {
      t->slots[gap] = t->slots[i];
      gap = i;
    }
  }
  t->slots[gap].number = 0;
  t->count--;
}

void table_clear(struct table *t) {
  if (t->slots)
    memset(t->slots, 0, (t->mask + (size_t)1) * sizeof *t->slots);
  t->count = 0;
}

struct table table_copy(const struct table *t) {
  struct table copy = *t;
  if (t->slots) {
    copy.slots = xmalloc((size_t)table_bytes(t));
    memcpy(copy.slots, t->slots, (size_t)table_bytes(t));
  }
  return copy;
}

void table_done(struct table *t) {
  free(t->slots);
  *t = (struct table){0};
}

uint64_t table_bytes(const struct table *t) {
  return t->slots ? (t->mask + UINT64_C(1)) * sizeof *t->slots : 0;
}
