// SPDX-License-Identifier: MIT
// See candidates.h: a table of keys, which finds out what is new.
#include "explore/cycles/justify/candidates.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

// The slot of a key in the table, which may be empty.
static uint32_t *find_slot(struct candidates *s, const words *key) {
  uint64_t h = hash_bytes(key->at, key->len * sizeof *key->at);
  for (;; h++) {
    uint32_t *slot = &s->slots[h & (s->nslots - 1)];
    if (!*slot)
      return slot;
    const struct candidate *c = &s->at[*slot - 1];
    if (c->len == key->len &&
        memcmp(c->key, key->at, key->len * sizeof *key->at) == 0)
      return slot;
  }
}

static void grow_table(struct candidates *s) {
  if (s->len * 2 < s->nslots)
    return;
  free(s->slots);
  s->nslots = s->nslots ? s->nslots * 2 : 64;
  s->slots = xcalloc(s->nslots, sizeof *s->slots);
  for (uint32_t i = 0; i < s->len; i++) {
    words key = {.at = s->at[i].key, .len = s->at[i].len};
    *find_slot(s, &key) = i + 1;
  }
}

struct candidate *candidates_add(struct candidates *s, const struct bound *b) {
  words key = {0};
  bound_write_key(b, &key);
  grow_table(s);
  uint32_t *slot = find_slot(s, &key);
  if (*slot) {
    array_done(&key);
    return NULL;
  }
  array_push(s, (struct candidate){.key = key.at, .len = key.len});
  *slot = s->len;
  return array_last(s);
}

void candidates_done(struct candidates *s) {
  for (uint32_t i = 0; i < s->len; i++)
    free(s->at[i].key);
  free(s->slots);
  array_done(s);
}
