// SPDX-License-Identifier: MIT
// The base sets that an event is in, as bits 1 << enum cat_base (sets come
// first there, so they fit); the last eight bits are the kind of a fence.
#pragma once

#include "cat/language/node.h"
#include "model/model.h"

// Does a model see it? The others only take part in program order.
static inline bool cat_sees(const struct event *e) {
  switch ((enum event_kind)e->kind) {
  case EV_READ:
  case EV_WRITE:
  case EV_FENCE:
  case EV_START:
  case EV_SPAWN:
  case EV_END:
  case EV_JOIN:
    return true;
  case EV_INIT:
  case EV_DETACH:
  case EV_ALLOC:
  case EV_FREE:
  case EV_CHOICE:
  case EV_OUTPUT:
  case EV_ANSWER:
    return false;
  }
  return false;
}

typedef uint64_t cat_sets;

#define CAT_IN(set) (UINT64_C(1) << CAT_##set)

// Is it the beginning or the end of an object?
static inline bool cat_is_life(const struct event *e) {
  return e->kind == EV_ALLOC || e->kind == EV_FREE;
}

static inline cat_sets cat_initial_sets(void) {
  return CAT_IN(W) | CAT_IN(IW) | CAT_IN(NA);
}

cat_sets cat_sets_of(const struct event *e,
                     const struct model_options *options);
// What they follow from, in one number, so that they need not be found for each
// event; 0: only cat_sets_of tells (a fence is also in what its value says).
static inline uint64_t cat_sets_key(const struct event *e,
                                    const struct model_options *options) {
  return e->kind == EV_FENCE
             ? 0
             : UINT64_C(1) << 63 | (uint64_t)options->arm_ldar << 62 |
                   (uint64_t)e->flags << 16 | (uint64_t)e->order << 8 | e->kind;
}
// Is an event with these sets in the set of this kind of fence?
bool cat_is_fence(cat_sets sets, enum fence_kind k);

// Is it in the base set, which may be that of a kind of fence?
static inline bool cat_is_in(cat_sets sets, uint32_t base) {
  return base_is_fence(base) ? cat_is_fence(sets, base_fence(base))
                             : sets >> base & 1;
}

// By node, of the first `nnodes`: if it is a static set, which of these
// combinations of sets are in it (bits).
void cat_find_classes(const struct nodes *n, uint32_t nnodes,
                      const cat_sets *classes, uint32_t nclasses, uint64_t *in);

// The place that it is about, which `loc` asks for.
static inline bool cat_has_location(const struct event *e) {
  return is_access(e) ||
         (e->kind == EV_FENCE && fence_has_location(fence_kind_of(e->value)));
}
