// SPDX-License-Identifier: MIT
// What random programs are made by: numbers that follow from a seed.
#pragma once

#include <stdint.h>

static uint64_t dice; // set to the seed

static inline unsigned below(unsigned n) {
  dice = dice * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((dice >> 33) % n);
}
