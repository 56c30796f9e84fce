// SPDX-License-Identifier: MIT
// A 64-bit word that names a node and counts its changes, so that a
// compare-exchange notices when a node went and came back. Index 0: no node.
#pragma once

#include "../common.h"

typedef uint64_t word;

static inline word word_of(uint32_t index, uint32_t count) {
  return (word)count << 32 | index;
}

static inline uint32_t index_of(word w) {
  return (uint32_t)w;
}

static inline uint32_t count_of(word w) {
  return (uint32_t)(w >> 32);
}
