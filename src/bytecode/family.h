// SPDX-License-Identifier: MIT
// Memory has to be given back in the way it was taken: malloc and free, new and
// delete, new[] and delete[], the aligned forms with the same alignment, a
// sized delete with the size that new was given. What there is to compare is
// one number, which goes with each allocation and each free.
#pragma once

#include <stdint.h>

enum family { FAMILY_MALLOC, FAMILY_NEW, FAMILY_NEW_ARRAY };

// As rt/ passes it on: `family` and the logarithm of the alignment, 0: the
// usual one.
enum { FAMILY_BITS = 8, FAMILY_WAY = 16 };

// ... together with the size that a delete names; UINT64_MAX: it names none.
static inline uint64_t family_pack(uint64_t way, uint64_t size) {
  return way | (size + 1) << FAMILY_WAY;
}
static inline enum family family_of(uint64_t packed) {
  return (enum family)(packed & ((1 << FAMILY_BITS) - 1));
}
static inline unsigned family_alignment(uint64_t packed) {
  return packed >> FAMILY_BITS & ((1 << (FAMILY_WAY - FAMILY_BITS)) - 1);
}
static inline uint64_t family_size(uint64_t packed) {
  return (packed >> FAMILY_WAY) - 1;
}
