// SPDX-License-Identifier: MIT
// Random numbers from a seed (splitmix64).
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct rng {
  uint64_t state;
};

static inline uint64_t rng_next(struct rng *r) {
  uint64_t z = r->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static inline unsigned below(struct rng *r, unsigned n) {
  return (unsigned)(rng_next(r) >> 33) % n;
}

static inline bool chance(struct rng *r, unsigned percent) {
  return below(r, 100) < percent;
}
