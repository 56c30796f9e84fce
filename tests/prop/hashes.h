// SPDX-License-Identifier: MIT
// Sets of what executions came to, as hashes, to compare two searches by.
#pragma once

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct hashes {
  uint64_t *at;
  uint32_t len, cap;
};

static inline uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

static inline int hashes_compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

// Sorts them and leaves each once; how many were there twice?
static inline unsigned hashes_sort(struct hashes *s) {
  uint32_t n = 0, all = s->len;
  if (all)
    qsort(s->at, all, sizeof *s->at, hashes_compare);
  for (uint32_t i = 0; i < all; i++)
    if (!n || s->at[n - 1] != s->at[i])
      s->at[n++] = s->at[i];
  s->len = n;
  return all - n;
}

static inline bool hashes_have(const struct hashes *sorted, uint64_t h) {
  return sorted->len && bsearch(&h, sorted->at, sorted->len, sizeof *sorted->at,
                                hashes_compare);
}

// How many of a are not among b, which is sorted?
static inline unsigned hashes_missing(const struct hashes *a,
                                      const struct hashes *b) {
  unsigned n = 0;
  for (uint32_t i = 0; i < a->len; i++)
    n += !hashes_have(b, a->at[i]);
  return n;
}

static inline bool hashes_same(const struct hashes *a, const struct hashes *b) {
  return a->len == b->len && !hashes_missing(a, b); // both are sorted
}
