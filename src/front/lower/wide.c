// SPDX-License-Identifier: MIT
// Integers of more than 64 bits as words in slots, the lowest first. The bits
// of the last word above the width are 0. Two words can do what 128-bit
// integers can; of more, which come from the bit-fields of packed structs, only
// what an access to a field needs: masks, shifts by known amounts, other
// widths. Shifts are built from amounts below 64, because the interpreter
// reports larger ones.
#include "front/lower/lower.h"

static int words_of(unsigned width) {
  return (int)((width + 63) / 64);
}

static vreg top_of(vreg r, unsigned width) {
  return r + (vreg)words_of(width) - 1;
}

// Clears what is above the width.
static void cut_top(struct lowering *l, vreg r, unsigned width) {
  vreg top = top_of(r, width);
  if (width % 64)
    lower_emit(l, OP_trunc, top, top, 0, width % 64);
}

// The last word with the sign in all bits above the width.
static vreg signed_top(struct lowering *l, vreg r, unsigned width) {
  vreg top = top_of(r, width);
  return width % 64 ? lower_op(l, OP_sext, top, 0, width % 64 | 64u << 8) : top;
}

static vreg sign_of(struct lowering *l, vreg top) {
  return lower_op(l, OP_ashr, top, lower_number(l, 63), 64);
}

void lower_wide_resize(struct lowering *l, LLVMOpcode opcode, vreg to,
                       vreg from, unsigned width_from, unsigned width_to) {
  int have = words_of(width_from), want = words_of(width_to);
  vreg rest = lower_number(l, 0);
  lower_move(l, to, from, (uint32_t)(have < want ? have : want));
  if (opcode == LLVMSExt) {
    vreg top = signed_top(l, from, width_from);
    lower_move(l, top_of(to, width_from), top, 1);
    rest = sign_of(l, top);
  }
  for (int i = have; i < want; i++)
    lower_move(l, to + (vreg)i, rest, 1);
  if (opcode != LLVMZExt)
    cut_top(l, to, width_to);
}

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

// An integer of `n` words that goes on with `above` and, below, with 0.
struct words {
  vreg first, top, above;
  int n;
};

static vreg word_at(struct lowering *l, struct words w, int i) {
  if (i < 0)
    return lower_number(l, 0);
  return i >= w.n ? w.above : i == w.n - 1 ? w.top : w.first + (vreg)i;
}

// By an amount that is known. To the left is to the right by less than nothing:
// each word comes from two neighbours, at least `words` further up.
static void shift_by(struct lowering *l, LLVMValueRef inst, int amount) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  unsigned width = type_width(LLVMTypeOf(inst));
  vreg from = lower_value(l, LLVMGetOperand(inst, 0));
  struct words w = {from, top_of(from, width), lower_number(l, 0),
                    words_of(width)};
  if (opcode == LLVMAShr) {
    w.top = signed_top(l, from, width);
    w.above = sign_of(l, w.top);
  }
  int right = opcode == LLVMShl ? -amount : amount;
  int bits = (right % 64 + 64) % 64, words = (right - bits) / 64;
  vreg to = lower_result(l, inst);
  for (int i = 0; i < w.n; i++) {
    vreg word = word_at(l, w, i + words);
    if (bits) {
      vreg low = op64(l, OP_lshr, word, lower_number(l, (uint64_t)bits));
      vreg high = op64(l, OP_shl, word_at(l, w, i + words + 1),
                       lower_number(l, (uint64_t)(64 - bits)));
      word = op64(l, OP_or, low, high);
    }
    lower_move(l, to + (vreg)i, word, 1);
  }
  if (opcode != LLVMLShr)
    cut_top(l, to, width);
}

// The interpreter reports an amount that is too large where it is not known.
static bool shifts_by_known(struct lowering *l, LLVMValueRef inst,
                            int *ret_amount) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  LLVMValueRef amount = LLVMGetOperand(inst, 1);
  unsigned width = type_width(LLVMTypeOf(inst));
  uint64_t words[MAX_CALL_SLOTS];
  if ((opcode != LLVMShl && opcode != LLVMLShr && opcode != LLVMAShr) ||
      !LLVMIsAConstantInt(amount) || !constant_slots(l->f, amount, words))
    return false;
  *ret_amount = (int)(words[0] % width);
  return words[0] < width;
}

static int bitwise_op(LLVMOpcode opcode) {
  switch ((int)opcode) {
  case LLVMAnd:
    return OP_and;
  case LLVMOr:
    return OP_or;
  case LLVMXor:
    return OP_xor;
  default:
    return -1;
  }
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

static void refuse_wide(struct lowering *l, unsigned width) {
  lower_refuse(l, "this operation on %u-bit integers is not supported", width);
}

// What can be done with two words only.
static void binary_of_two(struct lowering *l, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  unsigned width = type_width(LLVMTypeOf(inst));
  struct wide a = wide_value(l, LLVMGetOperand(inst, 0)),
              b = wide_value(l, LLVMGetOperand(inst, 1)), r;
  switch ((int)opcode) {
  case LLVMAdd:
  case LLVMSub:
    r = wide_add(l, a, b, opcode == LLVMSub);
    break;
  case LLVMMul:
    r = wide_mul(l, a, b);
    break;
  case LLVMAShr:
    a.hi = signed_top(l, a.lo, width);
    r = wide_shift(l, opcode, a, b.lo);
    break;
  case LLVMShl:
  case LLVMLShr:
    r = wide_shift(l, opcode, a, b.lo);
    break;
  default:
    refuse_wide(l, width);
    return;
  }
  vreg to = lower_result(l, inst);
  lower_move(l, to, r.lo, 1);
  lower_move(l, to + 1, r.hi, 1);
  cut_top(l, to, width);
}

void lower_wide_binary(struct lowering *l, LLVMValueRef inst) {
  unsigned width = type_width(LLVMTypeOf(inst));
  int op = bitwise_op(LLVMGetInstructionOpcode(inst)), amount;
  if (op >= 0) {
    vreg a = lower_value(l, LLVMGetOperand(inst, 0)),
         b = lower_value(l, LLVMGetOperand(inst, 1)),
         to = lower_result(l, inst);
    for (vreg i = 0; i < (vreg)words_of(width); i++)
      lower_emit(l, (enum op)op, to + i, a + i, b + i, 0);
  } else if (shifts_by_known(l, inst, &amount)) {
    shift_by(l, inst, amount);
  } else if (words_of(width) == 2) {
    binary_of_two(l, inst);
  } else {
    refuse_wide(l, width);
  }
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
  if (p == LLVMIntEQ || p == LLVMIntNE) {
    vreg differ = lower_number(l, 0);
    for (vreg i = 0; i < (vreg)words_of(width); i++)
      differ = op64(l, OP_or, differ, op64(l, OP_xor, a.lo + i, b.lo + i));
    lower_emit(l, p == LLVMIntNE ? OP_ne : OP_eq, to, differ,
               lower_number(l, 0), 64);
    return;
  }
  if (words_of(width) != 2) {
    refuse_wide(l, width);
    return;
  }
  vreg same_high = op64(l, OP_eq, a.hi, b.hi);
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

// -- with overflow: the result, and behind it whether it is another number

static vreg is_not_zero(struct lowering *l, vreg v) {
  return op64(l, OP_ne, v, lower_number(l, 0));
}

static vreg either(struct lowering *l, vreg a, vreg b) {
  return op64(l, OP_or, a, b);
}

static vreg sign_at(struct lowering *l, vreg high, unsigned width) {
  return op64(l, OP_and, op64(l, OP_lshr, high, lower_number(l, width - 65)),
              lower_number(l, 1));
}

static vreg is_below(struct lowering *l, struct wide a, struct wide b) {
  return choose(l, op64(l, OP_eq, a.hi, b.hi), op64(l, OP_ult, a.lo, b.lo),
                op64(l, OP_ult, a.hi, b.hi));
}

// Adds or subtracts. A sign that neither of the two operands accounts for is an
// overflow; without signs, a sum below an operand is.
static vreg add_overflows(struct lowering *l, struct wide a, struct wide b,
                          vreg to, unsigned width, bool subtract,
                          bool is_signed) {
  struct wide r = wide_add(l, a, b, subtract);
  lower_move(l, to, r.lo, 1);
  lower_move(l, to + 1, r.hi, 1);
  cut_top(l, to, width);
  r = (struct wide){to, to + 1};
  if (!is_signed)
    return subtract ? is_below(l, a, b) : is_below(l, r, a);
  vreg changed = op64(l, OP_xor, a.hi, r.hi),
       odd = op64(l, OP_xor, b.hi, subtract ? a.hi : r.hi);
  return sign_at(l, op64(l, OP_and, changed, odd), width);
}

// If both have a high word, the product is too large in any case; otherwise one
// of the two cross products is 0.
static vreg mul_overflows(struct lowering *l, struct wide a, struct wide b,
                          struct wide *r) {
  vreg high = code_regs(l->c, 2); // and carry
  vreg both = op64(l, OP_and, is_not_zero(l, a.hi), is_not_zero(l, b.hi));
  vreg cross =
      op64(l, OP_add, op64(l, OP_mul, a.lo, b.hi), op64(l, OP_mul, a.hi, b.lo));
  vreg lost =
      either(l, op64(l, OP_umulh, a.lo, b.hi), op64(l, OP_umulh, a.hi, b.lo));
  lower_emit(l, OP_uadd_ov, high, op64(l, OP_umulh, a.lo, b.lo), cross, 64);
  *r = (struct wide){op64(l, OP_mul, a.lo, b.lo), high};
  return either(l, either(l, both, is_not_zero(l, lost)), high + 1);
}

static struct wide wide_if_negated(struct lowering *l, vreg is_negative,
                                   struct wide a) {
  vreg zero = lower_number(l, 0);
  struct wide negated =
      wide_add(l, (struct wide){zero, zero}, a, /*subtract=*/true);
  return (struct wide){choose(l, is_negative, negated.lo, a.lo),
                       choose(l, is_negative, negated.hi, a.hi)};
}

// Takes the sign away; yields whether there was one.
static vreg take_sign(struct lowering *l, struct wide *a, unsigned width) {
  vreg is_negative = sign_at(l, a->hi, width);
  a->hi = signed_top(l, a->lo, width);
  *a = wide_if_negated(l, is_negative, *a);
  return is_negative;
}

// With signs: as without, of magnitudes. The product fits if its sign is the
// one that it should have, or if it is 0.
static vreg lower_mul_overflow(struct lowering *l, struct wide a, struct wide b,
                               vreg to, unsigned width, bool is_signed) {
  vreg is_negative = lower_number(l, 0);
  if (is_signed) {
    is_negative = take_sign(l, &a, width);
    is_negative = op64(l, OP_xor, is_negative, take_sign(l, &b, width));
  }
  struct wide size, r;
  vreg overflows = mul_overflows(l, a, b, &size);
  if (width < 128)
    overflows = either(
        l, overflows,
        is_not_zero(l, op64(l, OP_lshr, size.hi, lower_number(l, width - 64))));
  r = is_signed ? wide_if_negated(l, is_negative, size) : size;
  lower_move(l, to, r.lo, 1);
  lower_move(l, to + 1, r.hi, 1);
  cut_top(l, to, width);
  if (!is_signed)
    return overflows;
  vreg wrong = op64(l, OP_xor, sign_at(l, to + 1, width), is_negative);
  vreg is_some = is_not_zero(l, either(l, size.lo, size.hi));
  return either(l, overflows, op64(l, OP_and, wrong, is_some));
}

bool lower_wide_overflow(struct lowering *l, LLVMValueRef call, enum op op) {
  unsigned width = type_width(LLVMTypeOf(LLVMGetOperand(call, 0)));
  if (words_of(width) != 2)
    return false;
  struct wide a = wide_value(l, LLVMGetOperand(call, 0)),
              b = wide_value(l, LLVMGetOperand(call, 1));
  vreg to = lower_result(l, call), overflows;
  bool is_signed = op == OP_sadd_ov || op == OP_ssub_ov || op == OP_smul_ov;
  if (op == OP_smul_ov || op == OP_umul_ov)
    overflows = lower_mul_overflow(l, a, b, to, width, is_signed);
  else
    overflows = add_overflows(l, a, b, to, width,
                              op == OP_ssub_ov || op == OP_usub_ov, is_signed);
  lower_move(l, to + 2, overflows, 1);
  return true;
}
