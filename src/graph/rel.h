// SPDX-License-Identifier: MIT
// Binary relations over n events as bit matrices, for definitions that are
// meant to be read beside the paper, not to be fast.
#pragma once

#include "base/bits.h"
#include "base/fatal.h"

#include <stdint.h>

struct rel {
  uint32_t n, words; // words: 64-bit words in a row
  bool is_set;       // said by who made it: [S], a part of the identity
  uint64_t *bits;
};

// All relations of one evaluation are freed together.
struct rels {
  uint32_t n;
  void **at; // blocks of several relations
  uint32_t len, cap;
  uint32_t left; // of the newest block
};

void rels_init(struct rels *r, uint32_t n);
void rels_done(struct rels *r);

// Each yields a new relation that belongs to `r`.
struct rel *rel_new(struct rels *r);
struct rel *rel_or(struct rels *r, const struct rel *a, const struct rel *b);
struct rel *rel_and(struct rels *r, const struct rel *a, const struct rel *b);
struct rel *rel_minus(struct rels *r, const struct rel *a, const struct rel *b);
struct rel *rel_seq(struct rels *r, const struct rel *a, const struct rel *b);
struct rel *rel_plus(struct rels *r, const struct rel *a);     // a+
struct rel *rel_optional(struct rels *r, const struct rel *a); // a?
struct rel *rel_inverse(struct rels *r, const struct rel *a);

static inline void rel_add(struct rel *a, uint32_t x, uint32_t y) {
  bit_add(a->bits + (size_t)x * a->words, y);
}

static inline bool rel_has(const struct rel *a, uint32_t x, uint32_t y) {
  return bit_has(a->bits + (size_t)x * a->words, y);
}

// All that y is related to in b, x is related to in a.
static inline void rel_add_row(struct rel *a, uint32_t x, const struct rel *b,
                               uint32_t y) {
  uint64_t *to = a->bits + (size_t)x * a->words;
  const uint64_t *from = b->bits + (size_t)y * b->words;
  for (uint32_t i = 0; i < a->words; i++)
    to[i] |= from[i];
}

bool rel_is_irreflexive(const struct rel *a);
bool rel_is_acyclic(struct rels *r, const struct rel *a);
bool rel_is_empty(const struct rel *a);
