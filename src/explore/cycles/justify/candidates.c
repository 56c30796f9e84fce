// SPDX-License-Identifier: MIT
// See candidates.h: a table of keys, which finds out what is new.
#include "explore/cycles/justify/candidates.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static bool is_known(const struct candidates *s, const words *key,
                     uint32_t hash) {
  for (uint32_t at = hash, i;
       (i = table_next(&s->table, hash, &at)) != TABLE_NONE;) {
    const struct candidate *c = &s->at[i];
    if (c->len == key->len &&
        memcmp(c->key, key->at, key->len * sizeof *key->at) == 0)
      return true;
  }
  return false;
}

struct candidate *candidates_add(struct candidates *s, const struct bound *b) {
  words key = {0};
  bound_write_key(b, &key);
  uint32_t hash = (uint32_t)hash_bytes(key.at, key.len * sizeof *key.at);
  if (is_known(s, &key, hash)) {
    array_done(&key);
    return NULL;
  }
  table_add(&s->table, hash, s->len);
  array_push(s, (struct candidate){.key = key.at, .len = key.len});
  return array_last(s);
}

void candidates_done(struct candidates *s) {
  for (uint32_t i = 0; i < s->len; i++)
    free(s->at[i].key);
  table_done(&s->table);
  array_done(s);
}
