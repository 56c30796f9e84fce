// SPDX-License-Identifier: MIT
#include "cat/sets.h"

static uint32_t set_of_order(enum order o) {
  static const enum cat_base sets[] = {
      [ORD_NA] = CAT_NA,   [ORD_RLX] = CAT_RLX,        [ORD_ACQ] = CAT_ACQ,
      [ORD_REL] = CAT_REL, [ORD_ACQREL] = CAT_ACQ_REL, [ORD_SC] = CAT_SC,
  };
  return 1u << sets[o];
}

// The part of an RMW's order that its read has, or its write.
static enum order part_of(const struct event *e) {
  enum order o = (enum order)e->order;
  if (o == ORD_NA || o == ORD_SC)
    return o;
  if (e->kind == EV_READ)
    return order_acquires(o) ? ORD_ACQ : ORD_RLX;
  return order_releases(o) ? ORD_REL : ORD_RLX;
}

static uint32_t sets_of_read(const struct event *e,
                             const struct model_options *options) {
  uint32_t in = 1u << CAT_R | set_of_order(part_of(e));
  if (e->flags & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK))
    in |= 1u << CAT_LOCKED;
  else if (part_of(e) == ORD_ACQ && !options->arm_ldar)
    in |= 1u << CAT_LDAPR;
  return in | (e->flags & EVF_EXCLUSIVE ? 1u << CAT_EXCLUSIVE : 0);
}

static uint32_t sets_of_fence(const struct event *e) {
  if (e->order != ORD_NA)
    return 1u << CAT_F | set_of_order(e->order);
  return (e->flags & EVF_ISB ? 1u << CAT_ISB : 0) |
         (e->flags & EVF_STORES ? 1u << CAT_STORES : 0);
}

uint32_t cat_sets_of(const struct event *e,
                     const struct model_options *options) {
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    return sets_of_read(e, options);
  case EV_WRITE:
    return 1u << CAT_W | set_of_order(part_of(e)) |
           (e->flags & EVF_EXCLUSIVE ? 1u << CAT_LOCKED | 1u << CAT_EXCLUSIVE
                                     : 0);
  case EV_FENCE:
    return sets_of_fence(e);
  case EV_START:
  case EV_SPAWN:
  case EV_END:
  case EV_JOIN:
    return 1u << CAT_THREAD;
  case EV_INIT:
  case EV_DETACH:
  case EV_ALLOC:
  case EV_FREE:
  case EV_CHOICE:
  case EV_OUTPUT:
    return 0;
  }
  return 0;
}
