// SPDX-License-Identifier: MIT
// 128-bit integers as two slots, the low half first. Shifts are built from
// amounts below 64, because the interpreter reports larger ones.
#include "front/lower.h"

struct wide {
  vreg lo, hi;
};

static struct wide wide_value(struct lowering *l, LLVMValueRef v) {
  vreg r = lower_value(l, v);
  return (struct wide){r, r + 1};
}

static vreg op64(struct lowering *l, enum op op, vreg b, vreg c) {
  bool bitwise = op == OP_and || op == OP_or || op == OP_xor || op == OP_umulh;
  return lower_op(l, op, b, c, bitwise ? 0 : 64);
}

static struct wide wide_add(struct lowering *l, struct wide a, struct wide b,
                            bool subtract) {
  vreg low = code_regs(l->c, 2); // and carry or borrow
  lower_emit(l, subtract ? OP_usub_ov : OP_uadd_ov, low, a.lo, b.lo, 64);
  enum op op = subtract ? OP_sub : OP_add;
  vreg high = op64(l, op, op64(l, op, a.hi, b.hi), low + 1);
  return (struct wide){low, high};
}

static struct wide wide_mul(struct lowering *l, struct wide a, struct wide b) {
  vreg cross =
      op64(l, OP_add, op64(l, OP_mul, a.lo, b.hi), op64(l, OP_mul, a.hi, b.lo));
  return (struct wide){op64(l, OP_mul, a.lo, b.lo),
                       op64(l, OP_add, op64(l, OP_umulh, a.lo, b.lo), cross)};
}

static vreg choose(struct lowering *l, vreg condition, vreg yes, vreg no) {
  return lower_op(l, OP_select, condition, yes, no);
}

// One half is shifted by the amount, the other also takes in the bits that
// leave the first; from 64 on, the first moves over as a whole.
static struct wide wide_shift(struct lowering *l, LLVMOpcode opcode,
                              struct wide a, vreg amount) {
  bool left = opcode == LLVMShl;
  enum op out = left ? OP_shl : opcode == LLVMAShr ? OP_ashr : OP_lshr;
  enum op in = left ? OP_shl : OP_lshr, back = left ? OP_lshr : OP_shl;
  vreg source = left ? a.lo : a.hi, target = left ? a.hi : a.lo;
  vreg small = op64(l, OP_and, amount, lower_number(l, 63));
  vreg is_large = op64(l, OP_ule, lower_number(l, 64), amount);
  vreg spill = op64(l, back, op64(l, back, source, lower_number(l, 1)),
                    op64(l, OP_xor, small, lower_number(l, 63)));
  vreg shifted = op64(l, out, source, small);
  vreg mixed = op64(l, OP_or, op64(l, in, target, small), spill);
  vreg rest = opcode == LLVMAShr ? op64(l, OP_ashr, source, lower_number(l, 63))
                                 : lower_number(l, 0);
  vreg first = choose(l, is_large, rest, shifted);
  vreg second = choose(l, is_large, shifted, mixed);
  return left ? (struct wide){first, second} : (struct wide){second, first};
}

static bool only_128(struct lowering *l, unsigned width) {
  return width == 128 ||
         lower_refuse(l, "arithmetic on %u-bit integers is not supported",
                      width);
}

static const char *division_of(LLVMValueRef inst) {
  if (!LLVMIsABinaryOperator(inst) || type_width(LLVMTypeOf(inst)) != 128)
    return NULL;
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMUDiv:
    return "__heddle_udiv128";
  case LLVMURem:
    return "__heddle_urem128";
  case LLVMSDiv:
    return "__heddle_sdiv128";
  case LLVMSRem:
    return "__heddle_srem128";
  default:
    return NULL;
  }
}

static bool is_wide_integer(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && type_width(t) == 128;
}

// Which of three functions is for a type of floating point?
static const char *by_real(LLVMTypeRef t, const char *single, const char *twice,
                           const char *extended) {
  switch ((int)LLVMGetTypeKind(t)) {
  case LLVMFloatTypeKind:
    return single;
  case LLVMDoubleTypeKind:
    return twice;
  case LLVMX86_FP80TypeKind:
    return extended;
  default:
    return NULL;
  }
}

static const char *conversion_of(LLVMValueRef inst) {
  if (!LLVMIsACastInst(inst))
    return NULL;
  LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(inst, 0)), to = LLVMTypeOf(inst);
  if (!is_wide_integer(from) && !is_wide_integer(to))
    return NULL;
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMUIToFP:
    return by_real(to, "__heddle_u128_to_float", "__heddle_u128_to_double",
                   "__heddle_u128_to_extended");
  case LLVMSIToFP:
    return by_real(to, "__heddle_s128_to_float", "__heddle_s128_to_double",
                   "__heddle_s128_to_extended");
  case LLVMFPToUI:
    return by_real(from, "__heddle_float_to_u128", "__heddle_double_to_u128",
                   "__heddle_extended_to_u128");
  case LLVMFPToSI:
    return by_real(from, "__heddle_float_to_s128", "__heddle_double_to_s128",
                   "__heddle_extended_to_s128");
  default:
    return NULL;
  }
}

const char *wide_function(LLVMValueRef inst) {
  const char *division = division_of(inst);
  return division ? division : conversion_of(inst);
}

// A function of rt/ does it.
bool lower_wide_call(struct lowering *l, LLVMValueRef inst) {
  const char *name = wide_function(inst);
  if (!name)
    return false;
  uint32_t slots = 0;
  vreg args = code_regs(l->c, 4);
  for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
    LLVMValueRef v = LLVMGetOperand(inst, (unsigned)i);
    uint32_t n = type_slots(LLVMTypeOf(v));
    lower_move(l, args + slots, lower_value(l, v), n);
    slots += n;
  }
  LLVMValueRef function = module_find(l->f, name);
  check(function);
  lower_emit(l, OP_call, lower_result(l, inst), args,
             call_slots(slots, type_slots(LLVMTypeOf(inst))),
             front_function(l->f, function));
  return true;
}

void lower_wide_binary(struct lowering *l, LLVMValueRef inst) {
  if (!only_128(l, type_width(LLVMTypeOf(inst))))
    return;
  struct wide a = wide_value(l, LLVMGetOperand(inst, 0)),
              b = wide_value(l, LLVMGetOperand(inst, 1)), r;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  switch ((int)opcode) {
  case LLVMAdd:
  case LLVMSub:
    r = wide_add(l, a, b, opcode == LLVMSub);
    break;
  case LLVMMul:
    r = wide_mul(l, a, b);
    break;
  case LLVMAnd:
    r = (struct wide){op64(l, OP_and, a.lo, b.lo), op64(l, OP_and, a.hi, b.hi)};
    break;
  case LLVMOr:
    r = (struct wide){op64(l, OP_or, a.lo, b.lo), op64(l, OP_or, a.hi, b.hi)};
    break;
  case LLVMXor:
    r = (struct wide){op64(l, OP_xor, a.lo, b.lo), op64(l, OP_xor, a.hi, b.hi)};
    break;
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
    r = wide_shift(l, opcode, a, b.lo);
    break;
  default:
    lower_refuse(l, "this operation on 128-bit integers is not supported");
    return;
  }
  vreg to = lower_result(l, inst);
  lower_move(l, to, r.lo, 1);
  lower_move(l, to + 1, r.hi, 1);
}

static bool is_signed_predicate(LLVMIntPredicate p) {
  return p >= LLVMIntSGT;
}

void lower_wide_compare(struct lowering *l, LLVMValueRef inst) {
  unsigned width = type_width(LLVMTypeOf(LLVMGetOperand(inst, 0)));
  LLVMIntPredicate p = LLVMGetICmpPredicate(inst);
  struct wide a = wide_value(l, LLVMGetOperand(inst, 0)),
              b = wide_value(l, LLVMGetOperand(inst, 1));
  vreg to = lower_result(l, inst);
  vreg same_high = op64(l, OP_eq, a.hi, b.hi);
  if (p == LLVMIntEQ || p == LLVMIntNE) {
    vreg same = op64(l, OP_and, op64(l, OP_eq, a.lo, b.lo), same_high);
    lower_emit(l, OP_xor, to, same, lower_number(l, p == LLVMIntNE), 0);
    return;
  }
  bool greater =
      p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE;
  bool or_equal =
      p == LLVMIntUGE || p == LLVMIntULE || p == LLVMIntSGE || p == LLVMIntSLE;
  if (greater) {
    struct wide swap = a;
    a = b;
    b = swap;
  }
  vreg less_high = lower_op(l, is_signed_predicate(p) ? OP_slt : OP_ult, a.hi,
                            b.hi, width - 64);
  vreg less_low = op64(l, or_equal ? OP_ule : OP_ult, a.lo, b.lo);
  lower_emit(l, OP_select, to, same_high, less_low, less_high);
}
