// SPDX-License-Identifier: MIT
// Calls of libatomic's functions, which clang emits for objects whose
// alignment it cannot rely on: __atomic_load(size, object, value, order) and
// __atomic_load_8(object, order), and so on.
#include "front/lower/lower.h"

#include <stdlib.h>
#include <string.h>

struct libcall {
  unsigned size;
  unsigned first;  // position of the object's address
  bool by_pointer; // the generic form: values are passed in memory
};

static LLVMTypeRef integer(struct lowering *l, unsigned size) {
  return LLVMIntTypeInContext(l->f->context, size * 8);
}

// C11's numbers of the orders, as the functions take them.
static uint8_t order_argument(struct lowering *l, LLVMValueRef call,
                              unsigned i) {
  static const uint8_t orders[] = {ORD_RLX, ORD_ACQ,    ORD_ACQ,
                                   ORD_REL, ORD_ACQREL, ORD_SC};
  LLVMValueRef v = LLVMGetOperand(call, i);
  if (!LLVMIsAConstantInt(v) || LLVMConstIntGetZExtValue(v) > 5) {
    lower_refuse(l, "the memory order of this call has to be a constant");
    return ORD_SC;
  }
  return orders[LLVMConstIntGetZExtValue(v)];
}

static vreg value_argument(struct lowering *l, LLVMValueRef call,
                           const struct libcall *c, unsigned i) {
  LLVMValueRef v = LLVMGetOperand(call, i);
  if (!c->by_pointer)
    return lower_value(l, v);
  vreg value = code_regs(l->c, c->size == 16 ? 2 : 1);
  lower_read(l, value, integer(l, c->size), v, (struct imm_access){0});
  return value;
}

static void give_back(struct lowering *l, LLVMValueRef call,
                      const struct libcall *c, vreg value, unsigned to) {
  if (c->by_pointer)
    lower_write(l, value, integer(l, c->size), LLVMGetOperand(call, to),
                (struct imm_access){0});
  else
    lower_move(l, lower_result(l, call), value, type_slots(LLVMTypeOf(call)));
}

static void libatomic_load(struct lowering *l, LLVMValueRef call,
                           const struct libcall *c) {
  unsigned order = c->by_pointer ? 3 : 1;
  vreg value = code_regs(l->c, c->size == 16 ? 2 : 1);
  struct imm_access how = {.size = (uint8_t)c->size,
                           .order = order_argument(l, call, order)};
  lower_emit(l, OP_load, value, lower_value(l, LLVMGetOperand(call, c->first)),
             0, imm_access(how));
  give_back(l, call, c, value, 2);
}

static void libatomic_store(struct lowering *l, LLVMValueRef call,
                            const struct libcall *c) {
  vreg value = value_argument(l, call, c, c->first + 1);
  struct imm_access how = {.size = (uint8_t)c->size,
                           .order = order_argument(l, call, c->first + 2)};
  lower_emit(l, OP_store, lower_value(l, LLVMGetOperand(call, c->first)), value,
             0, imm_access(how));
}

static void libatomic_update(struct lowering *l, LLVMValueRef call,
                             const struct libcall *c, LLVMAtomicRMWBinOp op) {
  vreg value = value_argument(l, call, c, c->first + 1);
  vreg old = code_regs(l->c, c->size == 16 ? 2 : 1);
  unsigned order = c->by_pointer ? 4 : 2;
  struct imm_access how = {.size = (uint8_t)c->size,
                           .order = order_argument(l, call, order)};
  lower_rmw(l, op, old, lower_value(l, LLVMGetOperand(call, c->first)), value,
            how);
  give_back(l, call, c, old, 3);
}

static void libatomic_cas(struct lowering *l, LLVMValueRef call,
                          const struct libcall *c) {
  uint32_t n = c->size == 16 ? 2 : 1;
  LLVMTypeRef t = integer(l, c->size);
  LLVMValueRef expected_at = LLVMGetOperand(call, c->first + 1);
  vreg expected = code_regs(l->c, n), old = code_regs(l->c, n);
  lower_read(l, expected, t, expected_at, (struct imm_access){0});
  vreg wanted = value_argument(l, call, c, c->first + 2);
  struct imm_access how = {.size = (uint8_t)c->size,
                           .order = order_argument(l, call, c->first + 3),
                           .order_fail = order_argument(l, call, c->first + 4)};
  vreg ok = lower_result(l, call);
  lower_cas(l, old, ok, lower_value(l, LLVMGetOperand(call, c->first)),
            expected, wanted, how);
  label_id fail = code_label(l->c), next = code_label(l->c);
  lower_emit(l, OP_br, ok, 0, 0, imm_targets(next, fail));
  code_place(l->c, fail);
  lower_write(l, old, t, expected_at, (struct imm_access){0});
  code_place(l->c, next);
}

static const struct {
  const char *name;
  LLVMAtomicRMWBinOp op;
} updates[] = {
    {"exchange", LLVMAtomicRMWBinOpXchg},
    {"fetch_add", LLVMAtomicRMWBinOpAdd},
    {"fetch_sub", LLVMAtomicRMWBinOpSub},
    {"fetch_and", LLVMAtomicRMWBinOpAnd},
    {"fetch_or", LLVMAtomicRMWBinOpOr},
    {"fetch_xor", LLVMAtomicRMWBinOpXor},
    {"fetch_nand", LLVMAtomicRMWBinOpNand},
};

// Cuts "_8" off the name, or takes the size from the first argument.
static bool libcall_shape(struct lowering *l, LLVMValueRef call, char *name,
                          struct libcall *c) {
  char *suffix = strrchr(name, '_');
  if (suffix && suffix[1] >= '1' && suffix[1] <= '9') {
    *c = (struct libcall){.size = (unsigned)strtoul(suffix + 1, NULL, 10)};
    *suffix = 0;
  } else {
    LLVMValueRef size = LLVMGetOperand(call, 0);
    if (!LLVMIsAConstantInt(size))
      return lower_refuse(l, "the size of an atomic object is not constant");
    *c = (struct libcall){(unsigned)LLVMConstIntGetZExtValue(size), 1, true};
  }
  if (c->size == 1 || c->size == 2 || c->size == 4 || c->size == 8 ||
      c->size == 16)
    return true;
  return lower_refuse(l, "atomic objects of %u bytes are not supported",
                      c->size);
}

void lower_atomic_call(struct lowering *l, LLVMValueRef call,
                       const char *full_name) {
  char name[64] = "";
  struct libcall c = {0};
  strncpy(name, full_name + strlen("__atomic_"), sizeof name - 1);
  if (strcmp(name, "is_lock_free") == 0) {
    vreg size = lower_value(l, LLVMGetOperand(call, 0));
    vreg below = lower_op(l, OP_sub, size, lower_number(l, 1), 64);
    vreg is_power = lower_op(l, OP_eq, lower_op(l, OP_and, size, below, 0),
                             lower_number(l, 0), 64);
    vreg is_small = lower_op(l, OP_ule, size, lower_number(l, 16), 64);
    lower_emit(l, OP_and, lower_result(l, call), is_power, is_small, 0);
    return;
  }
  if (!libcall_shape(l, call, name, &c))
    return;
  names_access(l->f, LLVMGetOperand(call, c.first), 0, c.size, &l->at);
  if (strcmp(name, "load") == 0) {
    libatomic_load(l, call, &c);
    return;
  }
  if (strcmp(name, "store") == 0) {
    libatomic_store(l, call, &c);
    return;
  }
  if (strcmp(name, "compare_exchange") == 0) {
    libatomic_cas(l, call, &c);
    return;
  }
  for (size_t i = 0; i < LENGTH(updates); i++)
    if (strcmp(name, updates[i].name) == 0) {
      libatomic_update(l, call, &c, updates[i].op);
      return;
    }
  lower_refuse(l, "the function %s is not supported", full_name);
}
