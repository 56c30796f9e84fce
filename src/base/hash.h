// SPDX-License-Identifier: MIT
// Hash functions. A hash only finds candidates: every user compares in full.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_u64(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  return x;
}

static inline uint64_t hash_mix(uint64_t h, uint64_t x) {
  return hash_u64(h * 31 + x + 0x9e3779b97f4a7c15u);
}

static inline uint64_t hash_bytes(const void *data, size_t n) {
  const unsigned char *p = data;
  uint64_t h = n;
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t x;
    memcpy(&x, p, 8);
    h = hash_mix(h, x);
  }
  uint64_t tail = 0;
  memcpy(&tail, p, n);
  return hash_mix(h, tail);
}
