// SPDX-License-Identifier: MIT
// Sets of blocks, as bits: a row of them for each block. Dominators are found
// by meeting: a block is dominated by itself and by what dominates all that
// lead to it (post-dominators go the other way).
#pragma once

#include "base/bits.h"
#include "base/fatal.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct rows {
  uint64_t *at;
  uint32_t n, words;
};

static inline uint64_t *row_of(const struct rows *r, uint32_t block) {
  return r->at + (size_t)block * r->words;
}
static inline bool row_has(const struct rows *r, uint32_t block, uint32_t i) {
  return bit_has(row_of(r, block), i);
}

// Rows of n blocks that have all of them. (Free `at`.)
static inline struct rows rows_full(uint32_t n) {
  struct rows r = {.n = n, .words = n / 64 + 1};
  r.at = xcalloc((size_t)(n + 1) * r.words, sizeof *r.at);
  memset(r.at, 0xff, (size_t)n * r.words * sizeof *r.at);
  return r;
}
static inline void row_only_itself(const struct rows *r, uint32_t block) {
  memset(row_of(r, block), 0, r->words * sizeof *r->at);
  bit_add(row_of(r, block), block);
}

// Leaves in the row of a block what the other one has, and itself. True if that
// took something away.
static inline bool row_meet(const struct rows *r, uint32_t block,
                            uint32_t other) {
  uint64_t *set = row_of(r, block);
  bool changed = false;
  for (uint32_t w = 0; w < r->words; w++) {
    uint64_t keep =
        row_of(r, other)[w] | (block / 64 == w ? UINT64_C(1) << block % 64 : 0);
    changed |= (set[w] & ~keep) != 0;
    set[w] &= keep;
  }
  return changed;
}

static inline uint32_t row_count(const struct rows *r, uint32_t block) {
  uint32_t n = 0;
  for (uint32_t b = 0; b < r->n; b++)
    n += row_has(r, block, b);
  return n;
}

// Of those that dominate a block, the nearest; r->n: there is none.
static inline uint32_t row_nearest(const struct rows *r, uint32_t block) {
  uint32_t n = row_count(r, block);
  for (uint32_t b = 0; b < r->n; b++)
    if (b != block && row_has(r, block, b) && row_count(r, b) == n - 1)
      return b;
  return r->n;
}
