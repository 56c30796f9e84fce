// SPDX-License-Identifier: MIT
// A map from pointers to numbers: what LLVM's values, blocks and metadata
// became. Nothing is ever removed.
#pragma once

#include "base/array.h"
#include "base/hash.h"
#include "base/table.h"

struct ptrmap {
  struct table table; // indices of entries
  ARRAY(struct {
    const void *key;
    uint32_t value;
  })
  entries;
};

static inline uint32_t ptrmap_hash_(const void *key) {
  return (uint32_t)hash_u64((uintptr_t)key);
}

// Where the number of `key` is until the next one is added, or NULL.
static inline uint32_t *ptrmap_find(const struct ptrmap *m, const void *key) {
  uint32_t hash = ptrmap_hash_(key);
  for (uint32_t at = hash, n;
       (n = table_next(&m->table, hash, &at)) != TABLE_NONE;)
    if (m->entries.at[n].key == key)
      return &m->entries.at[n].value;
  return NULL;
}

static inline void ptrmap_set(struct ptrmap *m, const void *key,
                              uint32_t value) {
  uint32_t *known = ptrmap_find(m, key);
  if (known) {
    *known = value;
    return;
  }
  table_add(&m->table, ptrmap_hash_(key), m->entries.len);
  array_reserve(&m->entries, 1);
  m->entries.at[m->entries.len].key = key;
  m->entries.at[m->entries.len++].value = value;
}

static inline void ptrmap_done(struct ptrmap *m) {
  table_done(&m->table);
  array_done(&m->entries);
}
