// SPDX-License-Identifier: MIT
// Shorthands in which the axioms read like the papers they come from.
#pragma once

#include "model/axioms.h"

static inline const struct event *event_at(const struct axioms *a, uint32_t i) {
  return &a->g->events[a->events[i]];
}

static inline struct rel *new_rel(struct axioms *a) {
  return rel_new(&a->rels);
}

static inline struct rel *seq(struct axioms *a, const struct rel *x,
                              const struct rel *y) {
  return rel_seq(&a->rels, x, y);
}

static inline struct rel *either(struct axioms *a, const struct rel *x,
                                 const struct rel *y) {
  return rel_or(&a->rels, x, y);
}

static inline struct rel *both(struct axioms *a, const struct rel *x,
                               const struct rel *y) {
  return rel_and(&a->rels, x, y);
}

static inline struct rel *minus(struct axioms *a, const struct rel *x,
                                const struct rel *y) {
  return rel_minus(&a->rels, x, y);
}

// [S] for the events that satisfy a predicate.
static inline struct rel *set_of(struct axioms *a,
                                 bool (*is)(const struct event *)) {
  struct rel *s = new_rel(a);
  s->is_set = true;
  for (uint32_t i = 0; i < a->n; i++)
    if (is(event_at(a, i)))
      rel_add(s, i, i);
  return s;
}

// [from];r;[to]
static inline struct rel *between(struct axioms *a,
                                  bool (*from)(const struct event *),
                                  const struct rel *r,
                                  bool (*to)(const struct event *)) {
  return seq(a, seq(a, set_of(a, from), r), set_of(a, to));
}

static inline bool is_read(const struct event *e) {
  return e->kind == EV_READ;
}

static inline bool is_write(const struct event *e) {
  return e->kind == EV_WRITE;
}

static inline bool is_sc_fence(const struct event *e) {
  return e->kind == EV_FENCE && e->order == ORD_SC;
}
