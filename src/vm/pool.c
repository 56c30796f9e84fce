// SPDX-License-Identifier: MIT
#include "vm/pool.h"

#include "base/hash.h"

void pool_done(struct pool *p) {
  array_done(&p->words);
  array_done(&p->entries);
  free(p->slots);
  p->slots = NULL;
  p->mask = 0;
}

static uint32_t tuple_hash(const uint32_t *words, uint32_t len) {
  return (uint32_t)hash_bytes(words, (size_t)len * sizeof *words);
}

static void grow(struct pool *p) {
  uint32_t size = p->slots ? (p->mask + 1) * 2 : 64;
  check(size);
  free(p->slots);
  p->slots = xcalloc(size, sizeof *p->slots);
  p->mask = size - 1;
  for (uint32_t id = 0; id < p->entries.len; id++) {
    uint32_t i = p->entries.at[id].hash & p->mask;
    while (p->slots[i])
      i = (i + 1) & p->mask;
    p->slots[i] = id + 1;
  }
}

static bool is_tuple(const struct pool *p, uint32_t id, uint32_t hash,
                     const uint32_t *words, uint32_t len) {
  const struct pool_entry *e = &p->entries.at[id];
  return e->hash == hash && e->len == len &&
         memcmp(p->words.at + e->start, words, len * sizeof *words) == 0;
}

uint32_t pool_find(const struct pool *p, const uint32_t *words, uint32_t len) {
  if (!p->slots)
    return POOL_NONE;
  uint32_t hash = tuple_hash(words, len);
  for (uint32_t i = hash & p->mask; p->slots[i]; i = (i + 1) & p->mask)
    if (is_tuple(p, p->slots[i] - 1, hash, words, len))
      return p->slots[i] - 1;
  return POOL_NONE;
}

uint32_t pool_intern(struct pool *p, const uint32_t *words, uint32_t len) {
  if (!p->slots || p->entries.len * 2 > p->mask)
    grow(p);
  uint32_t hash = tuple_hash(words, len);
  uint32_t i = hash & p->mask;
  for (; p->slots[i]; i = (i + 1) & p->mask)
    if (is_tuple(p, p->slots[i] - 1, hash, words, len))
      return p->slots[i] - 1;
  struct pool_entry e = {.start = p->words.len, .len = len, .hash = hash};
  array_reserve(&p->words, len);
  memcpy(p->words.at + p->words.len, words, len * sizeof *words);
  p->words.len += len;
  array_push(&p->entries, e);
  p->slots[i] = p->entries.len;
  return p->entries.len - 1;
}

const uint32_t *pool_get(const struct pool *p, uint32_t id, uint32_t *len) {
  check(id < p->entries.len);
  *len = p->entries.at[id].len;
  return p->words.at + p->entries.at[id].start;
}

uint64_t pool_bytes(const struct pool *p) {
  return p->words.cap * (uint64_t)sizeof *p->words.at +
         p->entries.cap * (uint64_t)sizeof *p->entries.at +
         (p->slots ? p->mask + (uint64_t)1 : 0) * sizeof *p->slots;
}
