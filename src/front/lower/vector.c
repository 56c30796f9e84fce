// SPDX-License-Identifier: MIT
// Vectors of numbers. In registers a vector is what an array is, one slot for
// each lane (types.c), so loading, storing and passing them needs nothing more;
// an operation is done lane by lane.
#include "front/lower/lower.h"

#include <string.h>

static unsigned lanes_of(LLVMValueRef v) {
  return LLVMGetVectorSize(LLVMTypeOf(v));
}

static unsigned lane_width(LLVMValueRef v) {
  return type_width(LLVMGetElementType(LLVMTypeOf(v)));
}

static vreg operand(struct lowering *l, LLVMValueRef inst, unsigned i) {
  return lower_value(l, LLVMGetOperand(inst, i));
}

static void lower_lanes(struct lowering *l, LLVMValueRef inst, int op) {
  vreg to = lower_result(l, inst), b = operand(l, inst, 0),
       c = operand(l, inst, 1);
  for (unsigned i = 0; i < lanes_of(inst); i++)
    lower_binary_of(l, inst, (enum op)op, to + i, b + i, c + i,
                    lane_width(inst));
}

static void lower_compare_lanes(struct lowering *l, LLVMValueRef inst) {
  vreg to = lower_result(l, inst), b = operand(l, inst, 0),
       c = operand(l, inst, 1);
  for (unsigned i = 0; i < lanes_of(inst); i++)
    lower_compare_of(l, LLVMGetICmpPredicate(inst), to + i, b + i, c + i,
                     lane_width(LLVMGetOperand(inst, 0)));
}

static void lower_resize_lanes(struct lowering *l, LLVMValueRef inst) {
  LLVMValueRef from = LLVMGetOperand(inst, 0);
  vreg to = lower_result(l, inst), lanes = lower_value(l, from);
  for (unsigned i = 0; i < lanes_of(inst); i++)
    lower_resize(l, LLVMGetInstructionOpcode(inst), to + i, lanes + i,
                 lane_width(from), lane_width(inst));
}

static void lower_compare_real_lanes(struct lowering *l, LLVMValueRef inst) {
  vreg to = lower_result(l, inst), b = operand(l, inst, 0),
       c = operand(l, inst, 1);
  for (unsigned i = 0; i < lanes_of(inst); i++)
    lower_emit(l, OP_fcmp, to + i, b + i, c + i,
               lane_width(LLVMGetOperand(inst, 0)) |
                   (uint64_t)LLVMGetFCmpPredicate(inst) << 8);
}

static void lower_negate_lanes(struct lowering *l, LLVMValueRef inst) {
  vreg to = lower_result(l, inst), b = operand(l, inst, 0);
  for (unsigned i = 0; i < lanes_of(inst); i++)
    lower_emit(l, OP_fneg, to + i, b + i, 0, lane_width(inst));
}

// Between integers and floats, and between floats.
static void lower_convert_lanes(struct lowering *l, LLVMValueRef inst) {
  LLVMValueRef from = LLVMGetOperand(inst, 0);
  vreg to = lower_result(l, inst), lanes = lower_value(l, from);
  for (unsigned i = 0; i < lanes_of(inst); i++)
    lower_float_cast(l, LLVMGetInstructionOpcode(inst), to + i, lanes + i,
                     lane_width(from), lane_width(inst));
}

static void lower_select_lanes(struct lowering *l, LLVMValueRef inst) {
  vreg to = lower_result(l, inst), which = operand(l, inst, 0),
       yes = operand(l, inst, 1), no = operand(l, inst, 2);
  for (unsigned i = 0; i < lanes_of(inst); i++)
    lower_emit(l, OP_select, to + i, which + i, yes + i, no + i);
}

// -- single lanes

// Is the index the number of lane i?
static vreg is_lane(struct lowering *l, LLVMValueRef index, unsigned i) {
  return lower_op(l, OP_eq, lower_value(l, index), lower_number(l, i),
                  type_width(LLVMTypeOf(index)));
}

static void lower_extract(struct lowering *l, LLVMValueRef inst) {
  LLVMValueRef vector = LLVMGetOperand(inst, 0), at = LLVMGetOperand(inst, 1);
  vreg to = lower_result(l, inst), lanes = lower_value(l, vector);
  uint64_t n = lanes_of(vector);
  if (LLVMIsAConstantInt(at) && LLVMConstIntGetZExtValue(at) < n) {
    lower_move(l, to, lanes + (vreg)LLVMConstIntGetZExtValue(at), 1);
    return;
  }
  lower_emit(l, OP_undef, to, 0, 0, lane_width(vector)); // if there is none
  for (unsigned i = 0; i < n; i++)
    lower_emit(l, OP_select, to, is_lane(l, at, i), lanes + i, to);
}

static void lower_insert(struct lowering *l, LLVMValueRef inst) {
  LLVMValueRef at = LLVMGetOperand(inst, 2);
  vreg to = lower_result(l, inst), lanes = operand(l, inst, 0),
       value = operand(l, inst, 1);
  for (unsigned i = 0; i < lanes_of(inst); i++)
    if (!LLVMIsAConstantInt(at))
      lower_emit(l, OP_select, to + i, is_lane(l, at, i), value, lanes + i);
    else if (LLVMConstIntGetZExtValue(at) == i)
      lower_move(l, to + i, value, 1);
    else
      lower_move(l, to + i, lanes + i, 1);
}

static void lower_shuffle(struct lowering *l, LLVMValueRef inst) {
  vreg to = lower_result(l, inst), one = operand(l, inst, 0),
       two = operand(l, inst, 1);
  unsigned n = lanes_of(LLVMGetOperand(inst, 0));
  for (unsigned i = 0; i < lanes_of(inst); i++) {
    int from = LLVMGetMaskValue(inst, i);
    if (from < 0)
      lower_emit(l, OP_undef, to + i, 0, 0, lane_width(inst));
    else
      lower_move(l, to + i,
                 (unsigned)from < n ? one + (unsigned)from
                                    : two + (unsigned)from - n,
                 1);
  }
}

// -- the same bits as another type

enum { MAX_WORDS = MAX_LANES };

uint32_t lower_words(struct lowering *l, LLVMValueRef v, vreg *words) {
  vreg from = lower_value(l, v);
  LLVMTypeRef t = LLVMTypeOf(v);
  if (!type_is_lanes(t)) {
    for (uint32_t i = 0; i < type_slots(t); i++)
      words[i] = from + i;
    return type_slots(t);
  }
  unsigned width = lane_width(v), each = 64 / width, n = lanes_of(v);
  for (unsigned i = 0; i < n; i += each) {
    vreg word = from + i;
    for (unsigned k = 1; k < each && i + k < n; k++) {
      vreg part = lower_op(l, OP_shl, from + i + k,
                           lower_number(l, (uint64_t)k * width), 64);
      word = lower_op(l, OP_or, word, part, 0);
    }
    words[i / each] = word;
  }
  return (n + each - 1) / each;
}

static void lower_bits(struct lowering *l, LLVMValueRef inst) {
  vreg words[MAX_WORDS], to = lower_result(l, inst);
  uint32_t n = lower_words(l, LLVMGetOperand(inst, 0), words);
  if (!type_is_lanes(LLVMTypeOf(inst))) {
    for (uint32_t i = 0; i < n; i++)
      lower_move(l, to + i, words[i], 1);
    return;
  }
  unsigned width = lane_width(inst), each = 64 / width;
  for (unsigned i = 0; i < lanes_of(inst); i++) {
    vreg word = words[i / each];
    if (i % each)
      word = lower_op(l, OP_lshr, word,
                      lower_number(l, (uint64_t)(i % each) * width), 64);
    if (width < 64)
      lower_emit(l, OP_trunc, to + i, word, 0, width);
    else
      lower_move(l, to + i, word, 1);
  }
}

// -- all lanes in one number

static const struct reduction {
  const char *name;
  int op;    // enum op; -1: a comparison, which says if the first is taken
  int order; // then: LLVMIntPredicate
} reductions[] = {
    {"add.", OP_add, 0},       {"mul.", OP_mul, 0},
    {"and.", OP_and, 0},       {"or.", OP_or, 0},
    {"xor.", OP_xor, 0},       {"smax.", -1, LLVMIntSGT},
    {"smin.", -1, LLVMIntSLT}, {"umax.", -1, LLVMIntUGT},
    {"umin.", -1, LLVMIntULT},
};

static vreg reduce(struct lowering *l, const struct reduction *r, vreg a,
                   vreg b, unsigned width) {
  vreg to = code_reg(l->c);
  if (r->op >= 0) {
    bool is_bitwise = r->op == OP_and || r->op == OP_or || r->op == OP_xor;
    lower_emit(l, (enum op)r->op, to, a, b, is_bitwise ? 0 : width);
  } else {
    vreg is_first = code_reg(l->c);
    lower_compare_of(l, (LLVMIntPredicate)r->order, is_first, a, b, width);
    lower_emit(l, OP_select, to, is_first, a, b);
  }
  return to;
}

bool lower_reduction(struct lowering *l, LLVMValueRef call, const char *name) {
  static const char prefix[] = "llvm.vector.reduce.";
  LLVMValueRef vector = LLVMGetOperand(call, 0);
  if (strncmp(name, prefix, sizeof prefix - 1) != 0 ||
      !type_is_lanes(LLVMTypeOf(vector)))
    return false;
  for (size_t i = 0; i < LENGTH(reductions); i++) {
    const struct reduction *r = &reductions[i];
    if (strncmp(name + sizeof prefix - 1, r->name, strlen(r->name)) != 0)
      continue;
    vreg lanes = lower_value(l, vector), all = lanes;
    for (unsigned k = 1; k < lanes_of(vector); k++)
      all = reduce(l, r, all, lanes + k, lane_width(vector));
    lower_move(l, lower_result(l, call), all, 1);
    return true;
  }
  return false;
}

// -- all instructions

static bool has_lanes(LLVMValueRef inst) {
  return type_is_lanes(LLVMTypeOf(inst)) ||
         (LLVMGetNumOperands(inst) > 0 &&
          type_is_lanes(LLVMTypeOf(LLVMGetOperand(inst, 0))));
}

bool lower_vector(struct lowering *l, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  if (!has_lanes(inst))
    return false;
  int op = lower_binary_op(opcode);
  if (op >= 0) {
    lower_lanes(l, inst, op);
    return true;
  }
  switch ((int)opcode) {
  case LLVMICmp:
    lower_compare_lanes(l, inst);
    return true;
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
    lower_resize_lanes(l, inst);
    return true;
  case LLVMFCmp:
    lower_compare_real_lanes(l, inst);
    return true;
  case LLVMFNeg:
    lower_negate_lanes(l, inst);
    return true;
  case LLVMSIToFP:
  case LLVMUIToFP:
  case LLVMFPToSI:
  case LLVMFPToUI:
  case LLVMFPExt:
  case LLVMFPTrunc:
    lower_convert_lanes(l, inst);
    return true;
  case LLVMBitCast:
    lower_bits(l, inst);
    return true;
  case LLVMSelect:
    if (!type_is_lanes(LLVMTypeOf(LLVMGetOperand(inst, 0))))
      return false;
    lower_select_lanes(l, inst);
    return true;
  case LLVMExtractElement:
    lower_extract(l, inst);
    return true;
  case LLVMInsertElement:
    lower_insert(l, inst);
    return true;
  case LLVMShuffleVector:
    lower_shuffle(l, inst);
    return true;
  default:
    return false;
  }
}
