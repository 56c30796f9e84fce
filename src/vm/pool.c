// SPDX-License-Identifier: MIT
// Tuples lie one after the other in an array; a table finds their ids.
#include "vm/pool.h"

#include "base/hash.h"

void pool_done(struct pool *p) {
  array_done(&p->words);
  array_done(&p->entries);
  table_done(&p->table);
}

// One multiplication for two words: tuples are long, and hashed at each step
// that was not taken before.
static uint32_t tuple_hash(const uint32_t *words, uint32_t len) {
  const uint64_t factor = 0xd6e8feb86659fd93u;
  uint64_t h = len, two;
  for (; len >= 2; words += 2, len -= 2) {
    memcpy(&two, words, sizeof two);
    h = (h ^ two) * factor;
    h ^= h >> 32;
  }
  return (uint32_t)hash_u64(len ? h ^ *words : h);
}

static bool is_tuple(const struct pool *p, uint32_t id, const uint32_t *words,
                     uint32_t len) {
  const struct pool_entry *e = &p->entries.at[id];
  return e->len == len &&
         memcmp(p->words.at + e->start, words, len * sizeof *words) == 0;
}

static uint32_t find(const struct pool *p, uint32_t hash, const uint32_t *words,
                     uint32_t len) {
  for (uint32_t at = hash, id;
       (id = table_next(&p->table, hash, &at)) != TABLE_NONE;)
    if (is_tuple(p, id, words, len))
      return id;
  return POOL_NONE;
}

// Adds a tuple that is not there.
static uint32_t add(struct pool *p, uint32_t hash, const uint32_t *words,
                    uint32_t len) {
  struct pool_entry e = {.start = p->words.len, .len = len, .hash = hash};
  array_reserve(&p->words, len);
  memcpy(p->words.at + p->words.len, words, len * sizeof *words);
  p->words.len += len;
  array_push(&p->entries, e);
  table_add(&p->table, hash, p->entries.len - 1);
  return p->entries.len - 1;
}

uint32_t pool_find(const struct pool *p, const uint32_t *words, uint32_t len) {
  return find(p, tuple_hash(words, len), words, len);
}

uint32_t pool_intern(struct pool *p, const uint32_t *words, uint32_t len) {
  uint32_t hash = tuple_hash(words, len);
  uint32_t id = find(p, hash, words, len);
  return id != POOL_NONE ? id : add(p, hash, words, len);
}

const uint32_t *pool_get(const struct pool *p, uint32_t id, uint32_t *len) {
  check(id < p->entries.len);
  *len = p->entries.at[id].len;
  return p->words.at + p->entries.at[id].start;
}

uint64_t pool_bytes(const struct pool *p) {
  return p->words.cap * (uint64_t)sizeof *p->words.at +
         p->entries.cap * (uint64_t)sizeof *p->entries.at +
         table_bytes(&p->table);
}

void pool_truncate(struct pool *p, uint32_t count) {
  while (p->entries.len > count) {
    const struct pool_entry *youngest = array_last(&p->entries);
    table_remove(&p->table, youngest->hash, p->entries.len - 1);
    p->words.len = youngest->start;
    p->entries.len--;
  }
}

uint32_t parts_put(struct parts *p, const uint32_t *words, uint32_t len,
                   bool keep) {
  uint32_t hash = tuple_hash(words, len);
  uint32_t id = find(&p->lasting, hash, words, len);
  if (id != POOL_NONE)
    return id;
  id = find(&p->transient, hash, words, len);
  if (id != POOL_NONE)
    return id | REF_TRANSIENT;
  id = add(keep ? &p->lasting : &p->transient, hash, words, len);
  if (id >= REF_TRANSIENT - 1)
    fatal_out_of_memory(len * sizeof *words);
  return keep ? id : id | REF_TRANSIENT;
}

const uint32_t *parts_get(const struct parts *p, uint32_t ref, uint32_t *len) {
  return ref & REF_TRANSIENT
             ? pool_get(&p->transient, ref & ~REF_TRANSIENT, len)
             : pool_get(&p->lasting, ref, len);
}

void parts_done(struct parts *p) {
  pool_done(&p->lasting);
  pool_done(&p->transient);
}

uint64_t parts_bytes(const struct parts *p) {
  return pool_bytes(&p->lasting) + pool_bytes(&p->transient);
}
