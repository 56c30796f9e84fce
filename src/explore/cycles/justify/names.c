// SPDX-License-Identifier: MIT
// Nothing is met twice under a model that explores with cores: all above one
// core is met once (promise.c), and cores are different. That is counted, not
// believed: cores by their names, in slow-check builds all executions too.
#include "base/hash.h"
#include "explore/cycles/justify/justify.h"

#include <stdlib.h>

static uint64_t *find(struct names *n, uint64_t name) {
  uint64_t i = name & (n->cap - 1);
  while (n->at[i] && n->at[i] != name)
    i = (i + 1) & (n->cap - 1);
  return &n->at[i];
}

static void grow(struct names *n) {
  struct names old = *n;
  n->cap = old.cap ? 2 * old.cap : 64;
  n->at = xcalloc(n->cap, sizeof *n->at);
  for (uint32_t i = 0; i < old.cap; i++)
    if (old.at[i])
      *find(n, old.at[i]) = old.at[i];
  free(old.at);
}

void names_note(struct explorer *x, bool is_core) {
  struct names *n = &x->cycles.names;
  uint64_t name = hash_mix(graph_name(&x->g), is_core);
  name += !name; // 0: nothing
  if (2 * n->len >= n->cap)
    grow(n);
  uint64_t *slot = find(n, name);
  x->result.duplicates += *slot != 0;
  n->len += !*slot;
  *slot = name;
}

void names_forget(struct explorer *x) {
  free(x->cycles.names.at);
  x->cycles.names = (struct names){0};
}
