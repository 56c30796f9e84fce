// SPDX-License-Identifier: MIT
// Sets of small numbers, as bits of words.
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool bit_has(const uint64_t *set, uint32_t i) {
  return set[i / 64] >> i % 64 & 1;
}

static inline void bit_add(uint64_t *set, uint32_t i) {
  set[i / 64] |= UINT64_C(1) << i % 64;
}

static inline void bit_clear(uint64_t *set, uint32_t i) {
  set[i / 64] &= ~(UINT64_C(1) << i % 64);
}
