// SPDX-License-Identifier: MIT
// The numbers of all sets lie in one array. A hash table finds a set by its
// numbers, and a small cache the unions that were asked for last.
#include "base/sets.h"

#include "base/hash.h"
#include "base/patience.h"

#include <string.h>

enum { UNION_CACHE = 1024 };

void sets_init(struct sets *s) {
  *s = (struct sets){0};
  s->unions = xcalloc(UNION_CACHE, sizeof *s->unions);
  array_push(&s->spans, (struct set_span){0});
}

void sets_done(struct sets *s) {
  array_done(&s->spans);
  array_done(&s->numbers);
  table_done(&s->table);
  free(s->unions);
}

uint64_t sets_bytes(const struct sets *s) {
  return s->spans.cap * (uint64_t)sizeof *s->spans.at +
         s->numbers.cap * (uint64_t)sizeof *s->numbers.at +
         table_bytes(&s->table);
}

// The id of the numbers from `first` on, which are taken back if the set is
// known already.
static set_id intern(struct sets *s, uint32_t first) {
  struct set_span span = {first, s->numbers.len - first};
  size_t size = span.len * sizeof(uint32_t);
  uint32_t hash = (uint32_t)hash_bytes(s->numbers.at + first, size);
  for (uint32_t at = hash, id;
       (id = table_next(&s->table, hash, &at)) != TABLE_NONE;) {
    struct set_span other = s->spans.at[id];
    if (other.len == span.len &&
        memcmp(s->numbers.at + other.first, s->numbers.at + first, size) == 0) {
      s->numbers.len = first;
      return id;
    }
  }
  table_add(&s->table, hash, s->spans.len);
  array_push(&s->spans, span);
  return s->spans.len - 1;
}

set_id set_of_one(struct sets *s, uint32_t number) {
  bool is_small = number < sizeof s->ones / sizeof *s->ones;
  if (is_small && s->ones[number])
    return s->ones[number];
  array_push(&s->numbers, 2 * number);
  set_id ret = intern(s, s->numbers.len - 1);
  if (is_small)
    s->ones[number] = ret;
  return ret;
}

set_id set_picked(struct sets *s, set_id a) {
  uint32_t first = s->numbers.len;
  if (!a)
    return 0;
  for (uint32_t i = 0; i < set_len(s, a); i++)
    array_push(&s->numbers, 2 * set_at(s, a, i) + 1);
  s->has_picks = true;
  return intern(s, first);
}

// The i-th number with how it is in the set, behind the last one a larger one.
static uint32_t raw_at(const struct sets *s, set_id id, uint32_t i) {
  return i < set_len(s, id) ? s->numbers.at[s->spans.at[id].first + i]
                            : UINT32_MAX;
}

set_id set_union(struct sets *s, set_id a, set_id b) {
  if (a > b) {
    set_id swap = a;
    a = b;
    b = swap;
  }
  if (a == 0 || a == b)
    return b;
  struct set_union *cached =
      &s->unions[hash_u64((uint64_t)a << 32 | b) % UNION_CACHE];
  if (cached->a == a && cached->b == b)
    return cached->result;
  patience_ask();
  uint32_t first = s->numbers.len, i = 0, j = 0;
  uint32_t len_a = set_len(s, a), len_b = set_len(s, b);
  while (i < len_a || j < len_b) {
    uint32_t x = raw_at(s, a, i), y = raw_at(s, b, j);
    array_push(&s->numbers, x < y ? x : y);
    i += x / 2 <= y / 2;
    j += y / 2 <= x / 2;
  }
  set_id result = intern(s, first);
  *cached = (struct set_union){a, b, result};
  return result;
}

bool set_contains(const struct sets *s, set_id id, uint32_t number) {
  uint32_t low = 0, high = set_len(s, id);
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (set_at(s, id, mid) < number)
      low = mid + 1;
    else
      high = mid;
  }
  return low < set_len(s, id) && set_at(s, id, low) == number;
}
