// SPDX-License-Identifier: MIT
#include "cat/sets.h"

#include "base/fence.h"

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
  if (e->flags & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK | EVF_PICK))
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

static uint32_t sets_of_event(const struct event *e,
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

// What a fence of RISC-V orders: before it, behind it.
static uint32_t sides_of_fence(enum fence_kind k) {
  enum { PR = 1 << 0, PW = 1 << 1, SR = 1 << 2, SW = 1 << 3 };
  static const uint8_t sides[FENCE_COUNT] = {
      [FENCE_R_R] = PR | SR,
      [FENCE_R_W] = PR | SW,
      [FENCE_R_RW] = PR | SR | SW,
      [FENCE_W_R] = PW | SR,
      [FENCE_W_W] = PW | SW,
      [FENCE_W_RW] = PW | SR | SW,
      [FENCE_RW_R] = PR | PW | SR,
      [FENCE_RW_W] = PR | PW | SW,
      [FENCE_RW_RW] = PR | PW | SR | SW,
  };
  uint32_t s = sides[k];
  return (s & PR ? 1u << CAT_PR : 0) | (s & PW ? 1u << CAT_PW : 0) |
         (s & SR ? 1u << CAT_SR : 0) | (s & SW ? 1u << CAT_SW : 0);
}

// Instructions of litmus tests are what they say.
static uint32_t sets_of_instruction(const struct event *e) {
  if (e->kind == EV_FENCE)
    return sides_of_fence((enum fence_kind)e->value);
  if (!is_access(e) || !(e->flags & EVF_ISA))
    return 0;
  return 1u << CAT_ISA | (order_acquires(e->order) ? 1u << CAT_AQ : 0) |
         (order_releases(e->order) ? 1u << CAT_RL : 0) |
         (e->flags & EVF_LINKED ? 1u << CAT_LOCKED | 1u << CAT_EXCLUSIVE : 0) |
         (e->flags & EVF_PICK ? 1u << CAT_LOCKED : 0);
}

uint32_t cat_sets_of(const struct event *e,
                     const struct model_options *options) {
  uint32_t sets = sets_of_event(e, options) | sets_of_instruction(e);
  bool is_plain = !is_access(e) || !(e->flags & (EVF_PICK | EVF_LINKED));
  return is_plain ? sets : sets & ~(1u << CAT_LDAPR); // a plain load
}
