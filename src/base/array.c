// SPDX-License-Identifier: MIT
// Growth doubles the room, so that appending costs constant time on average.
#include "base/array.h"

void array_grow_(void **at, uint32_t *cap, uint64_t need, size_t size) {
  uint64_t now = *cap ? *cap : 8;
  while (now < need)
    now *= 2;
  if (now > UINT32_MAX) // lengths have 32 bits: the last step is a smaller one
    now = UINT32_MAX;
  if (need > now)
    fatal_out_of_memory((size_t)need * size);
  *at = xrealloc(*at, (size_t)now * size);
  *cap = (uint32_t)now;
}
