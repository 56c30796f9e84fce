// SPDX-License-Identifier: MIT
#include "graph/rel.h"

#include "base/array.h"

#include <string.h>

void rels_init(struct rels *r, uint32_t n) {
  *r = (struct rels){.n = n};
}

void rels_done(struct rels *r) {
  for (uint32_t i = 0; i < r->len; i++) {
    free(r->at[i]->bits);
    free(r->at[i]);
  }
  array_done(r);
}

struct rel *rel_new(struct rels *r) {
  struct rel *a = xcalloc(1, sizeof *a);
  a->n = r->n;
  a->words = (r->n + 63) / 64;
  a->bits = xcalloc((size_t)a->n * a->words, sizeof *a->bits);
  array_push(r, a);
  return a;
}

static size_t size_of(const struct rel *a) {
  return (size_t)a->n * a->words;
}

struct rel *rel_or(struct rels *r, const struct rel *a, const struct rel *b) {
  struct rel *c = rel_new(r);
  for (size_t i = 0; i < size_of(c); i++)
    c->bits[i] = a->bits[i] | b->bits[i];
  return c;
}

struct rel *rel_and(struct rels *r, const struct rel *a, const struct rel *b) {
  struct rel *c = rel_new(r);
  for (size_t i = 0; i < size_of(c); i++)
    c->bits[i] = a->bits[i] & b->bits[i];
  return c;
}

struct rel *rel_minus(struct rels *r, const struct rel *a,
                      const struct rel *b) {
  struct rel *c = rel_new(r);
  for (size_t i = 0; i < size_of(c); i++)
    c->bits[i] = a->bits[i] & ~b->bits[i];
  return c;
}

static void row_or(struct rel *to, uint32_t x, const struct rel *from,
                   uint32_t y) {
  uint64_t *t = to->bits + (size_t)x * to->words;
  const uint64_t *f = from->bits + (size_t)y * from->words;
  for (uint32_t i = 0; i < to->words; i++)
    t[i] |= f[i];
}

struct rel *rel_seq(struct rels *r, const struct rel *a, const struct rel *b) {
  struct rel *c = rel_new(r);
  for (uint32_t x = 0; x < c->n; x++)
    for (uint32_t y = 0; y < c->n; y++)
      if (rel_has(a, x, y))
        row_or(c, x, b, y);
  return c;
}

struct rel *rel_plus(struct rels *r, const struct rel *a) {
  struct rel *c = rel_new(r);
  memcpy(c->bits, a->bits, size_of(c) * sizeof *c->bits);
  for (uint32_t k = 0; k < c->n; k++)
    for (uint32_t x = 0; x < c->n; x++)
      if (rel_has(c, x, k))
        row_or(c, x, c, k);
  return c;
}

struct rel *rel_optional(struct rels *r, const struct rel *a) {
  struct rel *c = rel_new(r);
  memcpy(c->bits, a->bits, size_of(c) * sizeof *c->bits);
  for (uint32_t x = 0; x < c->n; x++)
    rel_add(c, x, x);
  return c;
}

struct rel *rel_inverse(struct rels *r, const struct rel *a) {
  struct rel *c = rel_new(r);
  for (uint32_t x = 0; x < c->n; x++)
    for (uint32_t y = 0; y < c->n; y++)
      if (rel_has(a, x, y))
        rel_add(c, y, x);
  return c;
}

bool rel_is_irreflexive(const struct rel *a) {
  for (uint32_t x = 0; x < a->n; x++)
    if (rel_has(a, x, x))
      return false;
  return true;
}

bool rel_is_acyclic(struct rels *r, const struct rel *a) {
  return rel_is_irreflexive(rel_plus(r, a));
}

bool rel_is_empty(const struct rel *a) {
  for (size_t i = 0; i < size_of(a); i++)
    if (a->bits[i])
      return false;
  return true;
}
