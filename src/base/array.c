// SPDX-License-Identifier: MIT
// Growth doubles the room, so that appending costs constant time on average.
#include "base/array.h"

void array_grow_(void **at, uint32_t *cap, uint64_t need, size_t size) {
  uint64_t now = *cap ? *cap : 8;
  while (now < need)
    now *= 2;
  check(now <= UINT32_MAX);
  *at = xrealloc(*at, (size_t)now * size);
  *cap = (uint32_t)now;
}
