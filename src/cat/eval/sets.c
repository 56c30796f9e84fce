// SPDX-License-Identifier: MIT
// All follows from the event alone: its kind, order, fence and instruction.
#include "cat/eval/sets.h"

#include "base/fence.h"

static cat_sets set_of_order(enum order o) {
  static const enum cat_base sets[] = {
      [ORD_NA] = CAT_NA,   [ORD_RLX] = CAT_RLX,        [ORD_ACQ] = CAT_ACQ,
      [ORD_REL] = CAT_REL, [ORD_ACQREL] = CAT_ACQ_REL, [ORD_SC] = CAT_SC,
  };
  return UINT64_C(1) << sets[o];
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

enum { KIND_AT = 56 };

// Accesses that begin or end a section of SRCU are in the sets of that name.
static cat_sets sets_of_section(const struct event *e) {
  enum fence_kind k = e->kind == EV_READ ? FENCE_SRCU_LOCK : FENCE_SRCU_UNLOCK;
  return e->flags & EVF_SRCU ? (cat_sets)k << KIND_AT : 0;
}

static cat_sets sets_of_read(const struct event *e,
                             const struct model_options *options) {
  cat_sets in = CAT_IN(R) | set_of_order(part_of(e)) | sets_of_section(e);
  if (e->flags & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK | EVF_PICK | EVF_UPDATE))
    in |= CAT_IN(LOCKED);
  else if (part_of(e) == ORD_ACQ && !options->arm_ldar)
    in |= CAT_IN(LDAPR);
  in |= e->flags & EVF_NORET ? CAT_IN(NORETURN) : 0;
  if (!(e->flags & EVF_EXCLUSIVE))
    return in | (e->flags & (EVF_LOCK | EVF_SPIN) ? CAT_IN(LF) : 0);
  return in | CAT_IN(EXCLUSIVE) |
         (e->flags & (EVF_LOCK | EVF_SPIN) ? CAT_IN(LKR) : 0);
}

static cat_sets sets_of_write(const struct event *e) {
  return CAT_IN(W) | set_of_order(part_of(e)) | sets_of_section(e) |
         (e->flags & EVF_EXCLUSIVE ? CAT_IN(LOCKED) | CAT_IN(EXCLUSIVE) : 0) |
         (e->flags & EVF_UPDATE ? CAT_IN(LOCKED) : 0) |
         (e->flags & EVF_SPIN ? CAT_IN(LKW) : 0) |
         (e->flags & EVF_UNLOCK ? CAT_IN(UL) : 0);
}

static cat_sets sets_of_fence(const struct event *e) {
  cat_sets kind = (cat_sets)fence_kind_of(e->value) << KIND_AT;
  if (e->order != ORD_NA)
    return kind | CAT_IN(F) | set_of_order((enum order)e->order);
  return kind | (e->flags & EVF_ISB ? CAT_IN(ISB) : 0) |
         (e->flags & EVF_STORES ? CAT_IN(STORES) : 0) |
         (fence_drains(e->value) ? CAT_IN(DRAIN) : 0);
}

static cat_sets sets_of_event(const struct event *e,
                              const struct model_options *options) {
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    return sets_of_read(e, options);
  case EV_WRITE:
    return sets_of_write(e);
  case EV_FENCE:
    return sets_of_fence(e);
  case EV_START:
  case EV_SPAWN:
  case EV_END:
  case EV_JOIN:
    return CAT_IN(THREAD);
  case EV_ALLOC:
  case EV_FREE:
    return CAT_IN(W) | CAT_IN(NA);
  case EV_INIT:
  case EV_DETACH:
  case EV_CHOICE:
  case EV_OUTPUT:
  case EV_ANSWER:
    return 0;
  }
  return 0;
}

// What a fence of RISC-V orders: before it, behind it.
static cat_sets sides_of_fence(enum fence_kind k) {
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
  return (s & PR ? CAT_IN(PR) : 0) | (s & PW ? CAT_IN(PW) : 0) |
         (s & SR ? CAT_IN(SR) : 0) | (s & SW ? CAT_IN(SW) : 0);
}

// Instructions of litmus tests are what they say.
static cat_sets sets_of_instruction(const struct event *e) {
  if (e->kind == EV_FENCE)
    return sides_of_fence(fence_kind_of(e->value));
  if (!is_access(e) || !(e->flags & EVF_ISA))
    return 0;
  return CAT_IN(ISA) | (order_acquires(e->order) ? CAT_IN(AQ) : 0) |
         (order_releases(e->order) ? CAT_IN(RL) : 0) |
         (e->flags & EVF_LINKED ? CAT_IN(LOCKED) | CAT_IN(EXCLUSIVE) : 0) |
         (e->flags & EVF_PICK ? CAT_IN(LOCKED) : 0);
}

// What compilers make of the fences of C. Creating and joining a thread order
// as the strongest.
static bool is_made_of(cat_sets sets, enum fence_kind k) {
  enum {
    ACQ = 1 << 0,
    REL = 1 << 1,
    ACQ_REL = 1 << 2,
    SC = 1 << 3,
    THREAD = 1 << 4,
  };
  static const uint8_t made[FENCE_COUNT] = {
      [FENCE_DMB_SY] = THREAD,
      [FENCE_DMB_ISH] = REL | ACQ_REL | SC | THREAD,
      [FENCE_DMB_ISHLD] = ACQ,
      [FENCE_DMB] = ACQ | REL | ACQ_REL | SC | THREAD,
      [FENCE_SYNC] = SC | THREAD,
      [FENCE_LWSYNC] = ACQ | REL | ACQ_REL,
      [FENCE_MFENCE] = SC | THREAD,
      [FENCE_R_RW] = ACQ,
      [FENCE_RW_W] = REL,
      [FENCE_TSO] = ACQ_REL,
      [FENCE_RW_RW] = SC | THREAD,
      [FENCE_MB] = ACQ | REL | ACQ_REL | SC | THREAD,
  };
  unsigned is =
      (sets & CAT_IN(ACQ) ? ACQ : 0) | (sets & CAT_IN(REL) ? REL : 0) |
      (sets & CAT_IN(ACQ_REL) ? ACQ_REL : 0) | (sets & CAT_IN(SC) ? SC : 0) |
      (sets & CAT_IN(THREAD) ? THREAD : 0);
  return made[k] & is;
}

bool cat_is_fence(cat_sets sets, enum fence_kind k) {
  enum fence_kind kind = (enum fence_kind)(sets >> KIND_AT);
  if (kind != FENCE_C11)
    return kind == k;
  return (sets & (CAT_IN(F) | CAT_IN(THREAD))) && is_made_of(sets, k);
}

cat_sets cat_sets_of(const struct event *e,
                     const struct model_options *options) {
  cat_sets sets = sets_of_event(e, options) | sets_of_instruction(e);
  bool is_plain = !is_access(e) || !(e->flags & (EVF_PICK | EVF_LINKED));
  return is_plain ? sets : sets & ~(CAT_IN(LDAPR)); // a plain load
}

void cat_find_classes(const struct nodes *n, uint32_t nnodes,
                      const cat_sets *classes, uint32_t nclasses,
                      uint64_t *in) {
  for (node_id x = 0; x < nnodes; x++) {
    const struct node *v = node_at(n, x);
    in[x] = 0;
    if (!v->is_static)
      continue;
    switch ((enum node_kind)v->kind) {
    case NODE_BASE:
      for (uint32_t c = 0; c < nclasses; c++)
        in[x] |= (uint64_t)cat_is_in(classes[c], v->a) << c;
      break;
    case NODE_UNIVERSE:
      in[x] = nclasses ? ~UINT64_C(0) >> (64 - nclasses) : 0;
      break;
    case NODE_UNION:
      in[x] = in[v->a] | in[v->b];
      break;
    case NODE_INTERSECTION:
      in[x] = in[v->a] & in[v->b];
      break;
    case NODE_DIFFERENCE:
      in[x] = in[v->a] & ~in[v->b];
      break;
    default:
      break;
    }
  }
}
