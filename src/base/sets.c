// SPDX-License-Identifier: MIT
// The numbers of all sets lie in one array. A hash table finds a set by its
// numbers, and a small cache the unions that were asked for last.
//
// What a long thread depends on grows by what it has read last. So a set that
// is another one with larger numbers behind it shares these, if there is room:
// a thread of n reads takes memory for n numbers, not for n sets of them. What
// is in a block is never changed, so a set is what it was when it was made.
#include "base/sets.h"

#include "base/hash.h"
#include "base/patience.h"

#include <string.h>

enum { UNION_CACHE = 1024 };

void sets_init(struct sets *s) {
  *s = (struct sets){0};
  s->unions = xcalloc(UNION_CACHE, sizeof *s->unions);
  array_push(&s->spans, (struct set_span){0});
  array_push(&s->homes, (struct set_home){0});
  array_push(&s->blocks, (struct set_block){0});
}

void sets_done(struct sets *s) {
  array_done(&s->spans);
  array_done(&s->numbers);
  array_done(&s->homes);
  array_done(&s->blocks);
  table_done(&s->table);
  free(s->unions);
}

uint64_t sets_bytes(const struct sets *s) {
  return s->spans.cap * (uint64_t)sizeof *s->spans.at +
         s->numbers.cap * (uint64_t)sizeof *s->numbers.at +
         s->homes.cap * (uint64_t)sizeof *s->homes.at +
         s->blocks.cap * (uint64_t)sizeof *s->blocks.at +
         table_bytes(&s->table);
}

// The hash of a set to which these numbers were added behind all others.
static uint64_t hash_on(uint64_t hash, const uint32_t *numbers, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    hash = hash_mix(hash, numbers[i]);
  return hash;
}

static const uint32_t *numbers_of(const struct sets *s, set_id id) {
  return s->numbers.at + s->spans.at[id].first;
}

// Are these the first numbers of the set?
static bool begins_with(const struct sets *s, set_id id,
                        const uint32_t *numbers, uint32_t n) {
  const uint32_t *own = numbers_of(s, id);
  return own == numbers || memcmp(own, numbers, n * sizeof *own) == 0;
}

// A set of all numbers of `a` and those from `at` on, or TABLE_NONE.
static set_id find(const struct sets *s, uint64_t hash, set_id a, uint32_t at,
                   uint32_t n) {
  uint32_t len = set_len(s, a);
  for (uint32_t next = (uint32_t)hash, id;
       (id = table_next(&s->table, (uint32_t)hash, &next)) != TABLE_NONE;)
    if (set_len(s, id) == len + n && s->homes.at[id].hash == hash &&
        begins_with(s, id, numbers_of(s, a), len) &&
        memcmp(numbers_of(s, id) + len, s->numbers.at + at,
               n * sizeof(uint32_t)) == 0)
      return id;
  return TABLE_NONE;
}

static set_id add(struct sets *s, uint64_t hash, uint32_t block,
                  struct set_span span) {
  table_add(&s->table, (uint32_t)hash, s->spans.len);
  array_push(&s->spans, span);
  array_push(&s->homes, (struct set_home){hash, block});
  return s->spans.len - 1;
}

// A block that ends with the numbers from `first` on, the last ones of all, and
// has room for more, if there are many.
static uint32_t add_block(struct sets *s, uint32_t first) {
  enum { MANY = 16 };
  uint32_t end = s->numbers.len;
  if (end - first >= MANY)
    (void)array_extend(&s->numbers, end - first);
  array_push(&s->blocks, (struct set_block){end, s->numbers.len});
  return s->blocks.len - 1;
}

// The id of the numbers from `first` on, which are taken back if the set is
// known already.
static set_id intern(struct sets *s, uint32_t first) {
  uint32_t n = s->numbers.len - first;
  uint64_t hash = hash_on(0, s->numbers.at + first, n);
  set_id id = find(s, hash, 0, first, n);
  if (id == TABLE_NONE)
    return add(s, hash, add_block(s, first), (struct set_span){first, n});
  s->numbers.len = first;
  return id;
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

static set_id merge(struct sets *s, set_id a, set_id b) {
  uint32_t first = s->numbers.len, i = 0, j = 0;
  uint32_t len_a = set_len(s, a), len_b = set_len(s, b);
  while (i < len_a || j < len_b) {
    uint32_t x = raw_at(s, a, i), y = raw_at(s, b, j);
    array_push(&s->numbers, x < y ? x : y);
    i += x / 2 <= y / 2;
    j += y / 2 <= x / 2;
  }
  return intern(s, first);
}

// All numbers of b are larger than those of a.
static set_id append(struct sets *s, set_id a, set_id b) {
  struct set_span whole = s->spans.at[a];
  uint32_t n = set_len(s, b), block = s->homes.at[a].block;
  uint64_t hash = hash_on(s->homes.at[a].hash, numbers_of(s, b), n);
  set_id id = find(s, hash, a, s->spans.at[b].first, n);
  if (id != TABLE_NONE)
    return id;
  struct set_block *in = &s->blocks.at[block];
  if (in->end != whole.first + whole.len || in->room - in->end < n)
    return merge(s, a, b);
  memcpy(s->numbers.at + in->end, numbers_of(s, b), n * sizeof(uint32_t));
  in->end += n;
  whole.len += n;
  return add(s, hash, block, whole);
}

// Does the set have the number at least in this way?
static bool has_raw(const struct sets *s, set_id id, uint32_t raw) {
  uint32_t low = 0, high = set_len(s, id);
  const uint32_t *in = numbers_of(s, id);
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (in[mid] / 2 < raw / 2)
      low = mid + 1;
    else
      high = mid;
  }
  return low < set_len(s, id) && in[low] / 2 == raw / 2 && in[low] <= raw;
}

// (Neither is empty.)
static set_id unite(struct sets *s, set_id a, set_id b) {
  struct set_span x = s->spans.at[a], y = s->spans.at[b];
  const uint32_t *at = s->numbers.at;
  if (x.first == y.first)
    return x.len < y.len ? b : a; // one is the beginning of the other
  if (at[x.first + x.len - 1] / 2 < at[y.first] / 2)
    return append(s, a, b);
  if (at[y.first + y.len - 1] / 2 < at[x.first] / 2)
    return append(s, b, a);
  if (y.len == 1 && has_raw(s, a, at[y.first]))
    return a;
  if (x.len == 1 && has_raw(s, b, at[x.first]))
    return b;
  return merge(s, a, b);
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
  set_id result = unite(s, a, b);
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
