// SPDX-License-Identifier: MIT
// The one hash table: it finds numbers by the hash of what they stand for. What
// that is, and when two of them are equal, only the user knows, who walks over
// the candidates:
//
//   for (uint32_t at = hash, n; (n = table_next(t, hash, &at)) != TABLE_NONE;)
//     if (is_same(n, what))
//       return n;
//   table_add(t, hash, number_of_a_new_one);
//
// Open addressing. The hash stands in the table too, so that a slot of another
// hash is passed by, and a larger table is filled, without a look at the user's
// data. A table of zeros is empty.
#pragma once

#include <stdint.h>

#define TABLE_NONE UINT32_MAX

struct table_slot {
  uint32_t number; // + 1; 0 is free
  uint32_t hash;
};

struct table {
  struct table_slot *slots;
  uint32_t mask;
  uint32_t count;
};

// The next number with this hash, from *at on, which is the hash in the
// beginning; TABLE_NONE when there is no other.
static inline uint32_t table_next(const struct table *t, uint32_t hash,
                                  uint32_t *at) {
  if (!t->slots)
    return TABLE_NONE;
  for (;;) {
    struct table_slot s = t->slots[(*at)++ & t->mask];
    if (!s.number)
      return TABLE_NONE;
    if (s.hash == hash)
      return s.number - 1;
  }
}

// Adds a number that is not there.
void table_add(struct table *t, uint32_t hash, uint32_t number);
// Takes out a number that is there.
void table_remove(struct table *t, uint32_t hash, uint32_t number);
// Takes out all and keeps the memory.
void table_clear(struct table *t);
struct table table_copy(const struct table *t);
void table_done(struct table *t);
uint64_t table_bytes(const struct table *t);
