// SPDX-License-Identifier: MIT
// The graph of what threads could do alone (alone.c makes it, returns.c asks).
#pragma once

#include "explore/alone.h"

#include <string.h>

enum {
  MOST_NODES = 6000,
  MOST_CELLS = 400,
  MOST_LABELS = 512,
  MOST_WRITES = 60, // of all threads together
  MOST_CHOICES = 16,
  WORDS = MOST_LABELS / 64,
  NONE = UINT32_MAX,
};

struct cell {
  uint32_t loc;
  uint64_t value;
  bool is_readable; // in this round
};

struct label {
  thread_id thread;
  uint32_t cell;
};

enum move_kind { MOVE, MOVE_BARRIER, MOVE_READ, MOVE_WRITE };

struct move {
  uint8_t kind;
  uint8_t order;  // of a read
  bool is_strong; // a read that acquires, a write that releases
  uint32_t from, to;
  uint32_t what; // cell that is read, label that is written
};

struct node {
  state_id state;
  thread_id thread;
  uint32_t spawns;
  uint32_t looked; // at so many cells or results, of a read or join
  bool is_done;    // the same for all else
  uint32_t writes; // at most, from here on
  uint64_t later[WORDS], free[WORDS]; // labels: written from here on; without
                                      // an order that keeps them behind
};

struct result {
  uint32_t node;
  thread_id thread;
  uint64_t value;
  undef_id undef;
};

struct alone {
  struct explorer *x;
  ARRAY(struct node) nodes;
  ARRAY(struct move) moves;
  ARRAY(struct cell) cells;
  ARRAY(uint32_t) readable; // of the cells, oldest first
  ARRAY(struct label) labels;
  ARRAY(struct result) results; // of threads that ended
  uint32_t slots[4 * MOST_NODES];
  bool is_too_much, has_moved;
  // Bit b of reach[l]: what reads label l may lead to label b.
  uint64_t reach[MOST_LABELS][WORDS];
};

static inline bool has_bit(const uint64_t *set, uint32_t i) {
  return set[i / 64] >> i % 64 & 1;
}

static inline void add_bit(uint64_t *set, uint32_t i) {
  set[i / 64] |= 1ull << i % 64;
}

// Adds one set to another; says whether that has changed.
static inline bool add_set(uint64_t *set, const uint64_t *other) {
  uint64_t fresh = 0;
  for (unsigned i = 0; i < WORDS; i++) {
    fresh |= other[i] & ~set[i];
    set[i] |= other[i];
  }
  return fresh;
}

static inline uint32_t loc_of(const struct alone *a, uint32_t l) {
  return a->cells.at[a->labels.at[l].cell].loc;
}

// returns.c: finds what leads to what, in a graph that is complete.
void alone_find_returns(struct alone *a);
