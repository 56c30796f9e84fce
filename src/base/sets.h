// SPDX-License-Identifier: MIT
// Interned sets of small numbers: equal sets have equal ids, so that a set can
// be part of a key and a union that was formed before is a look-up.
//
// A number may be in a set *by pick* only: it decides which of several values
// is taken, and is part of none of them. A number that is in a set both ways is
// there plainly.
#pragma once

#include "base/array.h"
#include "base/table.h"

#include <stdbool.h>

typedef uint32_t set_id; // 0 is the empty set

struct set_span {
  uint32_t first, len; // in sets.numbers
};

struct set_home {
  uint64_t hash;
  uint32_t block;
};

// Numbers of sets of which each is the beginning of the next.
struct set_block {
  uint32_t end, room; // in sets.numbers: behind the longest, and behind all
};

struct sets {
  ARRAY(struct set_span) spans; // by set_id
  ARRAY(uint32_t) numbers;      // each set's in rising order: 2n, 2n+1 by pick
  ARRAY(struct set_home) homes; // by set_id
  ARRAY(struct set_block) blocks;
  struct table table; // of set_ids
  struct set_union {
    set_id a, b, result;
  } * unions;      // a cache: may forget
  set_id ones[64]; // sets of one small number; 0: not known yet
  bool has_picks;
  bool has_flips; // what was picked depends on other numbers than the other
};

void sets_init(struct sets *s);
void sets_done(struct sets *s);
uint64_t sets_bytes(const struct sets *s);

set_id set_of_one(struct sets *s, uint32_t number);
set_id set_union(struct sets *s, set_id a, set_id b);
// The same numbers, all by pick.
set_id set_picked(struct sets *s, set_id a);

static inline uint32_t set_len(const struct sets *s, set_id id) {
  return s->spans.at[id].len;
}

// The i-th smallest number.
static inline uint32_t set_at(const struct sets *s, set_id id, uint32_t i) {
  return s->numbers.at[s->spans.at[id].first + i] / 2;
}

static inline bool set_is_pick(const struct sets *s, set_id id, uint32_t i) {
  return s->numbers.at[s->spans.at[id].first + i] % 2;
}

bool set_contains(const struct sets *s, set_id id, uint32_t number);
