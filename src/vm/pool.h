// SPDX-License-Identifier: MIT
// A set of word tuples named by dense ids, from 0 in the order of their first
// appearance: what "interned" means everywhere in vm/. Equal tuples have equal
// ids; a hash only finds candidates, tuples are compared in full.
#pragma once

#include "base/array.h"

struct pool_entry {
  uint32_t start, len; // in words
  uint32_t hash;
};

struct pool {
  ARRAY(uint32_t) words;
  ARRAY(struct pool_entry) entries;
  uint32_t *slots; // id + 1, 0 is free
  uint32_t mask;
};

#define POOL_NONE UINT32_MAX

void pool_done(struct pool *p);
// The id of the tuple; it is added if it is new.
uint32_t pool_intern(struct pool *p, const uint32_t *words, uint32_t len);
// The id of the tuple, or POOL_NONE.
uint32_t pool_find(const struct pool *p, const uint32_t *words, uint32_t len);
// Valid until the next pool_intern.
const uint32_t *pool_get(const struct pool *p, uint32_t id, uint32_t *len);
uint64_t pool_bytes(const struct pool *p);
