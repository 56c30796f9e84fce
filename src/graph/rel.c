// SPDX-License-Identifier: MIT
// A relation is n rows of words; results live in a list and are freed together.
#include "graph/rel.h"

#include "base/array.h"
#include "base/patience.h"

#include <string.h>

void rels_init(struct rels *r, uint32_t n) {
  *r = (struct rels){.n = n};
}

void rels_done(struct rels *r) {
  for (uint32_t i = 0; i < r->len; i++)
    free(r->at[i]);
  array_done(r);
}

static size_t size_of(const struct rel *a) {
  return (size_t)a->n * a->words;
}

// Relations are made by the dozen, so memory for several is taken at once.
static struct rel *rel_alloc(struct rels *r) {
  enum { AT_ONCE = 32 };
  uint32_t words = (r->n + 63) / 64;
  size_t bits = (size_t)r->n * words * sizeof(uint64_t);
  size_t size = sizeof(struct rel) + bits;
  if (r->left == 0) {
    array_push(r, xrealloc(NULL, AT_ONCE * size));
    r->left = AT_ONCE;
  }
  char *block = *array_last(r);
  struct rel *a = (struct rel *)(block + --r->left * size);
  *a = (struct rel){.n = r->n, .words = words, .bits = (uint64_t *)(a + 1)};
  return a;
}

struct rel *rel_new(struct rels *r) {
  struct rel *a = rel_alloc(r);
  memset(a->bits, 0, size_of(a) * sizeof *a->bits);
  return a;
}

struct rel *rel_or(struct rels *r, const struct rel *a, const struct rel *b) {
  struct rel *c = rel_alloc(r);
  for (size_t i = 0; i < size_of(c); i++)
    c->bits[i] = a->bits[i] | b->bits[i];
  return c;
}

struct rel *rel_and(struct rels *r, const struct rel *a, const struct rel *b) {
  struct rel *c = rel_alloc(r);
  for (size_t i = 0; i < size_of(c); i++)
    c->bits[i] = a->bits[i] & b->bits[i];
  return c;
}

struct rel *rel_minus(struct rels *r, const struct rel *a,
                      const struct rel *b) {
  struct rel *c = rel_alloc(r);
  for (size_t i = 0; i < size_of(c); i++)
    c->bits[i] = a->bits[i] & ~b->bits[i];
  return c;
}

static bool row_is_empty(const struct rel *a, uint32_t x) {
  const uint64_t *row = a->bits + (size_t)x * a->words;
  for (uint32_t w = 0; w < a->words; w++)
    if (row[w])
      return false;
  return true;
}

// [S];b keeps rows.
static void keep_rows(struct rel *c, const struct rel *set,
                      const struct rel *b) {
  for (uint32_t x = 0; x < c->n; x++)
    if (rel_has(set, x, x))
      rel_add_row(c, x, b, x);
}

// a;[S] keeps columns.
static void keep_columns(struct rel *c, const struct rel *a,
                         const struct rel *set, uint64_t *columns) {
  for (uint32_t x = 0; x < c->n; x++)
    columns[x / 64] |= (uint64_t)rel_has(set, x, x) << x % 64;
  for (uint32_t x = 0; x < c->n; x++)
    for (uint32_t w = 0; w < c->words; w++)
      c->bits[(size_t)x * c->words + w] =
          a->bits[(size_t)x * c->words + w] & columns[w];
}

struct rel *rel_seq(struct rels *r, const struct rel *a, const struct rel *b) {
  struct rel *c = rel_new(r);
  if (rel_is_empty(b))
    return c;
  if (a->is_set) {
    keep_rows(c, a, b);
    return c;
  }
  if (b->is_set) {
    keep_columns(c, a, b, rel_new(r)->bits);
    return c;
  }
  const uint64_t *row = a->bits;
  for (uint32_t x = 0; x < c->n; x++, row += a->words) {
    patience_ask();
    for (uint32_t w = 0; w < a->words; w++)
      for (uint64_t rest = row[w]; rest; rest &= rest - 1)
        rel_add_row(c, x, b, w * 64 + (uint32_t)__builtin_ctzll(rest));
  }
  return c;
}

static bool row_meets(const struct rel *a, uint32_t x, const uint64_t *set) {
  const uint64_t *row = a->bits + (size_t)x * a->words;
  for (uint32_t w = 0; w < a->words; w++)
    if (row[w] & set[w])
      return true;
  return false;
}

struct rel *rel_plus(struct rels *r, const struct rel *a) {
  struct rel *c = rel_alloc(r);
  memcpy(c->bits, a->bits, size_of(c) * sizeof *c->bits);
  for (uint32_t k = 0; k < c->n; k++) {
    patience_ask();
    if (row_is_empty(c, k))
      continue;
    const uint64_t *column = c->bits + k / 64;
    for (uint32_t x = 0; x < c->n; x++, column += c->words)
      if (*column >> k % 64 & 1)
        rel_add_row(c, x, c, k);
  }
  return c;
}

struct rel *rel_optional(struct rels *r, const struct rel *a) {
  struct rel *c = rel_alloc(r);
  memcpy(c->bits, a->bits, size_of(c) * sizeof *c->bits);
  for (uint32_t x = 0; x < c->n; x++)
    rel_add(c, x, x);
  return c;
}

struct rel *rel_inverse(struct rels *r, const struct rel *a) {
  struct rel *c = rel_new(r);
  const uint64_t *row = a->bits;
  for (uint32_t x = 0; x < c->n; x++, row += a->words)
    for (uint32_t w = 0; w < a->words; w++)
      for (uint64_t rest = row[w]; rest; rest &= rest - 1)
        rel_add(c, w * 64 + (uint32_t)__builtin_ctzll(rest), x);
  return c;
}

bool rel_is_irreflexive(const struct rel *a) {
  for (uint32_t x = 0; x < a->n; x++)
    if (rel_has(a, x, x))
      return false;
  return true;
}

// Takes out elements that lead to none that is left, until there are none, or
// only cycles and what leads to them.
bool rel_is_acyclic(struct rels *r, const struct rel *a) {
  uint64_t *left = rel_new(r)->bits; // its first row
  uint32_t n = a->n;
  for (uint32_t x = 0; x < n; x++)
    bit_add(left, x);
  for (bool more = true; more && n;) {
    more = false;
    for (uint32_t x = a->n; x-- > 0;) {
      if (!bit_has(left, x) || row_meets(a, x, left))
        continue;
      bit_clear(left, x);
      n--;
      more = true;
    }
  }
  return n == 0;
}

bool rel_is_empty(const struct rel *a) {
  for (size_t i = 0; i < size_of(a); i++)
    if (a->bits[i])
      return false;
  return true;
}
