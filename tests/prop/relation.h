// SPDX-License-Identifier: MIT
// Relations over at most 64 events as bit matrices, and sets as words. Values,
// not objects: an operator of cat.c is one call.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { RELATION_EVENTS = 64 };

typedef uint64_t event_set;

struct relation {
  unsigned n;
  event_set row[RELATION_EVENTS]; // row[a] has bit b: a is related to b
};

static inline bool event_set_has(event_set s, unsigned e) {
  return s >> e & 1;
}

static inline bool rel_has(const struct relation *r, unsigned a, unsigned b) {
  return event_set_has(r->row[a], b);
}

static inline void rel_add(struct relation *r, unsigned a, unsigned b) {
  r->row[a] |= (event_set)1 << b;
}

static inline struct relation rel_empty(unsigned n) {
  return (struct relation){.n = n};
}

static inline struct relation rel_or(struct relation a, struct relation b) {
  for (unsigned i = 0; i < a.n; i++)
    a.row[i] |= b.row[i];
  return a;
}

static inline struct relation rel_and(struct relation a, struct relation b) {
  for (unsigned i = 0; i < a.n; i++)
    a.row[i] &= b.row[i];
  return a;
}

static inline struct relation rel_minus(struct relation a, struct relation b) {
  for (unsigned i = 0; i < a.n; i++)
    a.row[i] &= ~b.row[i];
  return a;
}

// [from];r;[to]
static inline struct relation rel_between(event_set from, struct relation r,
                                          event_set to) {
  for (unsigned i = 0; i < r.n; i++)
    r.row[i] = event_set_has(from, i) ? r.row[i] & to : 0;
  return r;
}

// a;b
static inline struct relation rel_seq(struct relation a, struct relation b) {
  struct relation r = rel_empty(a.n);
  for (unsigned i = 0; i < a.n; i++)
    for (event_set s = a.row[i]; s; s &= s - 1)
      r.row[i] |= b.row[__builtin_ctzll(s)];
  return r;
}

static inline struct relation rel_inverse(struct relation a) {
  struct relation r = rel_empty(a.n);
  for (unsigned i = 0; i < a.n; i++)
    for (event_set s = a.row[i]; s; s &= s - 1)
      rel_add(&r, (unsigned)__builtin_ctzll(s), i);
  return r;
}

// a?
static inline struct relation rel_opt(struct relation a) {
  for (unsigned i = 0; i < a.n; i++)
    rel_add(&a, i, i);
  return a;
}

// a+
static inline struct relation rel_plus(struct relation a) {
  for (unsigned k = 0; k < a.n; k++)
    for (unsigned i = 0; i < a.n; i++)
      if (rel_has(&a, i, k))
        a.row[i] |= a.row[k];
  return a;
}

// a*
static inline struct relation rel_star(struct relation a) {
  return rel_opt(rel_plus(a));
}

static inline bool rel_is_irreflexive(struct relation a) {
  for (unsigned i = 0; i < a.n; i++)
    if (rel_has(&a, i, i))
      return false;
  return true;
}

static inline bool rel_is_empty(struct relation a) {
  for (unsigned i = 0; i < a.n; i++)
    if (a.row[i])
      return false;
  return true;
}

static inline bool rel_is_acyclic(struct relation a) {
  return rel_is_irreflexive(rel_plus(a));
}
