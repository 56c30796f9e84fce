// SPDX-License-Identifier: MIT
// The numbers of all sets lie in one array. A hash table finds a set by its
// numbers, and a small cache the unions that were asked for last.
#include "base/sets.h"

#include "base/hash.h"

#include <string.h>

enum { UNION_CACHE = 1024 };

void sets_init(struct sets *s) {
  *s = (struct sets){.index_cap = 64};
  s->index = xcalloc(s->index_cap, sizeof *s->index);
  s->unions = xcalloc(UNION_CACHE, sizeof *s->unions);
  array_push(&s->spans, (struct set_span){0});
}

void sets_done(struct sets *s) {
  array_done(&s->spans);
  array_done(&s->numbers);
  free(s->index);
  free(s->unions);
}

uint64_t sets_bytes(const struct sets *s) {
  return s->spans.cap * (uint64_t)sizeof *s->spans.at +
         s->numbers.cap * (uint64_t)sizeof *s->numbers.at +
         s->index_cap * (uint64_t)sizeof *s->index;
}

static uint64_t hash_of(const struct sets *s, struct set_span span) {
  return hash_bytes(s->numbers.at + span.first, span.len * sizeof(uint32_t));
}

static void grow(struct sets *s) {
  s->index_cap *= 2;
  free(s->index);
  s->index = xcalloc(s->index_cap, sizeof *s->index);
  for (set_id id = 1; id < s->spans.len; id++) {
    uint64_t at = hash_of(s, s->spans.at[id]);
    while (s->index[at % s->index_cap])
      at++;
    s->index[at % s->index_cap] = id;
  }
}

// The id of the numbers from `first` on, which are taken back if the set is
// known already.
static set_id intern(struct sets *s, uint32_t first) {
  struct set_span span = {first, s->numbers.len - first};
  if (s->spans.len * 2 > s->index_cap)
    grow(s);
  uint64_t at = hash_of(s, span);
  for (set_id id; (id = s->index[at % s->index_cap]); at++) {
    struct set_span other = s->spans.at[id];
    if (other.len == span.len &&
        memcmp(s->numbers.at + other.first, s->numbers.at + first,
               span.len * sizeof(uint32_t)) == 0) {
      s->numbers.len = first;
      return id;
    }
  }
  set_id id = s->spans.len;
  s->index[at % s->index_cap] = id;
  array_push(&s->spans, span);
  return id;
}

set_id set_of_one(struct sets *s, uint32_t number) {
  array_push(&s->numbers, 2 * number);
  return intern(s, s->numbers.len - 1);
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
