// SPDX-License-Identifier: MIT
// What the Linux kernel has and C has not. Barriers are calls of functions that
// are not defined (base/barrier.def); the rest is made by rt/kernel.c out of
// the few functions here, whose last arguments are constants.
#include "front/lower/lower.h"

#include <string.h>

static const struct barrier {
  const char *name;
  enum fence_kind fence;
  enum order order;
} barriers[] = {
#define BARRIER(name, fence, order) {name, fence, order},
#include "base/barrier.def"
#undef BARRIER
};

static uint64_t constant(struct lowering *l, LLVMValueRef call, unsigned i) {
  LLVMValueRef v = LLVMGetOperand(call, i);
  if (LLVMIsAConstantInt(v))
    return LLVMConstIntGetZExtValue(v);
  lower_refuse(l, "argument %u of this call has to be a constant", i + 1);
  return 4;
}

static vreg argument(struct lowering *l, LLVMValueRef call, unsigned i) {
  return lower_value(l, LLVMGetOperand(call, i));
}

static vreg cut(struct lowering *l, vreg v, unsigned size) {
  return size == 8 ? v : lower_op(l, OP_trunc, v, 0, size * 8);
}

static void yield(struct lowering *l, LLVMValueRef call, vreg value) {
  lower_move(l, lower_result(l, call), value, 1);
}

// cas(at, expected, wanted, size, order) yields what was there. It is no
// branch.
static void lower_kernel_cas(struct lowering *l, LLVMValueRef call) {
  static const uint8_t orders[] = {ORD_RLX, ORD_ACQ, ORD_REL, ORD_SC};
  struct imm_access how = {.size = (uint8_t)constant(l, call, 3),
                           .order = orders[constant(l, call, 4) & 3],
                           .order_fail = ORD_RLX,
                           .how = HOW_PICK};
  vreg old = code_reg(l->c), ok = code_reg(l->c);
  lower_cas(l, old, ok, argument(l, call, 0),
            cut(l, argument(l, call, 1), how.size),
            cut(l, argument(l, call, 2), how.size), how);
  yield(l, call, old);
}

// update(at, value, operation, size): relaxed, and yields nothing.
static void lower_kernel_update(struct lowering *l, LLVMValueRef call) {
  static const LLVMAtomicRMWBinOp operations[] = {
      LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpAnd,
      LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpXor};
  struct imm_access how = {.size = (uint8_t)constant(l, call, 3),
                           .order = ORD_RLX,
                           .how = HOW_NORET};
  lower_rmw(l, operations[constant(l, call, 2) % 5], code_reg(l->c),
            argument(l, call, 0), cut(l, argument(l, call, 1), how.size), how);
}

// unless(at, added, unwanted, size) adds unless that value is there; yields
// what was there.
static void lower_kernel_unless(struct lowering *l, LLVMValueRef call) {
  struct imm_access how = {.size = (uint8_t)constant(l, call, 3),
                           .order = ORD_SC,
                           .order_fail = ORD_RLX,
                           .how = HOW_PICK | HOW_UNLESS};
  vreg at = argument(l, call, 0), old = code_reg(l->c);
  vreg added = cut(l, argument(l, call, 1), how.size);
  vreg unwanted = cut(l, argument(l, call, 2), how.size);
  lower_emit(l, OP_cas_load, old, at, unwanted, imm_access(how));
  vreg sum = lower_op(l, OP_add, old, added, how.size * 8u);
  lower_emit(l, OP_cas_store, at, sum, unwanted, imm_access(how));
  yield(l, call, old);
}

// trylock(word, self) yields whether it took the lock.
static void lower_kernel_trylock(struct lowering *l, LLVMValueRef call) {
  struct imm_access how = {.size = 4,
                           .order = ORD_ACQ,
                           .order_fail = ORD_RLX,
                           .how = HOW_PICK | HOW_TRYLOCK};
  vreg old = code_reg(l->c), ok = code_reg(l->c);
  lower_cas(l, old, ok, argument(l, call, 0), lower_number(l, 0),
            cut(l, argument(l, call, 1), 4), how);
  yield(l, call, ok);
}

// A section of SRCU is begun by a load, which yields its index, and ended by a
// store of that.
static const struct imm_access section = {
    .size = 4, .order = ORD_RLX, .how = HOW_SRCU};

// begin(at) yields the index.
static void lower_kernel_begin(struct lowering *l, LLVMValueRef call) {
  vreg index = code_reg(l->c);
  lower_emit(l, OP_load, index, argument(l, call, 0), 0, imm_access(section));
  yield(l, call, index);
}

// end(at, index)
static void lower_kernel_end(struct lowering *l, LLVMValueRef call) {
  lower_emit(l, OP_store, argument(l, call, 0), cut(l, argument(l, call, 1), 4),
             0, imm_access(section));
}

// wait(at): for a grace period.
static void lower_kernel_wait(struct lowering *l, LLVMValueRef call) {
  struct imm_access how = {.size = 4, .fence = FENCE_SYNC_SRCU};
  lower_emit(l, OP_fence_at, argument(l, call, 0), lower_number(l, 0), 0,
             imm_access(how));
}

static const struct kernel_function {
  const char *name;
  unsigned arguments;
  void (*lower)(struct lowering *l, LLVMValueRef call);
} functions[] = {
    {"__heddle_kernel_cas", 5, lower_kernel_cas},
    {"__heddle_kernel_update", 4, lower_kernel_update},
    {"__heddle_kernel_unless", 4, lower_kernel_unless},
    {"__heddle_kernel_trylock", 2, lower_kernel_trylock},
    {"__heddle_kernel_begin", 1, lower_kernel_begin},
    {"__heddle_kernel_end", 2, lower_kernel_end},
    {"__heddle_kernel_wait", 1, lower_kernel_wait},
};

enum {
  BARRIERS = LENGTH(barriers),
  FUNCTIONS = LENGTH(functions),
};

static const struct barrier *find_barrier(const char *name) {
  for (unsigned i = 0; i < BARRIERS; i++)
    if (strcmp(name, barriers[i].name) == 0)
      return &barriers[i];
  return NULL;
}

static const struct kernel_function *find_function(const char *name) {
  for (unsigned i = 0; i < FUNCTIONS; i++)
    if (strcmp(name, functions[i].name) == 0)
      return &functions[i];
  return NULL;
}

bool kernel_has(const char *name) {
  return find_barrier(name) || find_function(name);
}

void lower_kernel_call(struct lowering *l, LLVMValueRef call,
                       const char *name) {
  const struct barrier *b = find_barrier(name);
  const struct kernel_function *f = find_function(name);
  if (b)
    lower_fence_of(l, b->order, b->fence);
  else if (LLVMGetNumArgOperands(call) != f->arguments)
    lower_refuse(l, "this function takes %u arguments", f->arguments);
  else
    f->lower(l, call);
}
