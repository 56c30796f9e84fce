// SPDX-License-Identifier: MIT
// A set of word tuples named by dense ids, from 0 in the order of their first
// appearance: what "interned" means everywhere in vm/. Equal tuples have equal
// ids; a hash only finds candidates, tuples are compared in full.
#pragma once

#include "base/array.h"
#include "base/table.h"

struct pool_entry {
  uint32_t start, len; // in words
  uint32_t hash;
};

struct pool {
  ARRAY(uint32_t) words;
  ARRAY(struct pool_entry) entries;
  struct table table;
};

#define POOL_NONE UINT32_MAX

void pool_done(struct pool *p);
// The id of the tuple; it is added if it is new.
uint32_t pool_intern(struct pool *p, const uint32_t *words, uint32_t len);
// The id of the tuple, or POOL_NONE.
uint32_t pool_find(const struct pool *p, const uint32_t *words, uint32_t len);
// Valid until the next pool_intern.
const uint32_t *pool_get(const struct pool *p, uint32_t id, uint32_t *len);
// Forgets the tuples from id `count` on.
void pool_truncate(struct pool *p, uint32_t count);
uint64_t pool_bytes(const struct pool *p);

// Two pools, one whose tuples last and one that is truncated like a stack. A
// tuple is in at most one of them, so two that are there at the same time are
// equal iff their refs are. A ref is an id, with REF_TRANSIENT in the second.
struct parts {
  struct pool lasting, transient;
};

#define NO_REF UINT32_MAX
#define REF_TRANSIENT 0x80000000u

// The ref of the tuple; if it is new, `keep` says where it is added.
uint32_t parts_put(struct parts *p, const uint32_t *words, uint32_t len,
                   bool keep);
const uint32_t *parts_get(const struct parts *p, uint32_t ref, uint32_t *len);
void parts_done(struct parts *p);
uint64_t parts_bytes(const struct parts *p);
