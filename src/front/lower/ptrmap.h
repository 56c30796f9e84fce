// SPDX-License-Identifier: MIT
// A map from pointers to numbers: what LLVM's values, blocks and metadata
// became. Open addressing; nothing is ever removed.
#pragma once

#include "base/fatal.h"
#include "base/hash.h"

#include <stdint.h>
#include <stdlib.h>

struct ptrmap {
  const void **keys;
  uint32_t *values;
  uint32_t len, size; // size is 0 or a power of two
};

static inline uint32_t ptrmap_slot_(const struct ptrmap *m, const void *key) {
  uint32_t i = (uint32_t)hash_u64((uintptr_t)key) & (m->size - 1);
  while (m->keys[i] && m->keys[i] != key)
    i = (i + 1) & (m->size - 1);
  return i;
}

// Where the number of `key` is, or NULL.
static inline uint32_t *ptrmap_find(const struct ptrmap *m, const void *key) {
  if (!m->size)
    return NULL;
  uint32_t i = ptrmap_slot_(m, key);
  return m->keys[i] ? &m->values[i] : NULL;
}

static inline void ptrmap_grow_(struct ptrmap *m) {
  struct ptrmap old = *m;
  m->size = old.size ? old.size * 2 : 64;
  m->keys = xcalloc(m->size, sizeof *m->keys);
  m->values = xcalloc(m->size, sizeof *m->values);
  for (uint32_t i = 0; i < old.size; i++)
    if (old.keys[i]) {
      uint32_t slot = ptrmap_slot_(m, old.keys[i]);
      m->keys[slot] = old.keys[i];
      m->values[slot] = old.values[i];
    }
  free(old.keys);
  free(old.values);
}

static inline void ptrmap_set(struct ptrmap *m, const void *key,
                              uint32_t value) {
  if (m->len * 2 >= m->size)
    ptrmap_grow_(m);
  uint32_t i = ptrmap_slot_(m, key);
  if (!m->keys[i])
    m->len++;
  m->keys[i] = key;
  m->values[i] = value;
}

static inline void ptrmap_done(struct ptrmap *m) {
  free(m->keys);
  free(m->values);
  *m = (struct ptrmap){0};
}
