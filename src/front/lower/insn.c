// SPDX-License-Identifier: MIT
// Instructions that only compute: arithmetic, comparisons, casts, addresses
// and parts of aggregates. All of them are pure, so they cost nothing but
// registers.
#include "front/lower/lower.h"

static uint64_t width_flags(const struct lowering *l, LLVMValueRef inst,
                            unsigned width, enum op op) {
  uint64_t imm = width | (l->no_result & IMM_POISON);
  switch ((int)op) {
  case OP_add:
  case OP_sub:
  case OP_mul:
  case OP_shl:
    if (LLVMGetNSW(inst))
      imm |= IMM_NSW;
    if (LLVMGetNUW(inst))
      imm |= IMM_NUW;
    break;
  default:
    break;
  }
  return imm;
}

int lower_binary_op(LLVMOpcode opcode) {
  switch ((int)opcode) {
  case LLVMAdd:
    return OP_add;
  case LLVMSub:
    return OP_sub;
  case LLVMMul:
    return OP_mul;
  case LLVMUDiv:
    return OP_udiv;
  case LLVMSDiv:
    return OP_sdiv;
  case LLVMURem:
    return OP_urem;
  case LLVMSRem:
    return OP_srem;
  case LLVMShl:
    return OP_shl;
  case LLVMLShr:
    return OP_lshr;
  case LLVMAShr:
    return OP_ashr;
  case LLVMAnd:
    return OP_and;
  case LLVMOr:
    return OP_or;
  case LLVMXor:
    return OP_xor;
  case LLVMFAdd:
    return OP_fadd;
  case LLVMFSub:
    return OP_fsub;
  case LLVMFMul:
    return OP_fmul;
  case LLVMFDiv:
    return OP_fdiv;
  case LLVMFRem:
    return OP_frem;
  default:
    return -1;
  }
}

static bool is_vector(LLVMValueRef v) { // of something else than numbers
  LLVMTypeRef t = LLVMTypeOf(v);
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind && !type_is_lanes(t);
}

void lower_binary_of(struct lowering *l, LLVMValueRef inst, enum op op, vreg to,
                     vreg b, vreg c, unsigned width) {
  bool bitwise = op == OP_and || op == OP_or || op == OP_xor;
  lower_emit(l, op, to, b, c, bitwise ? 0 : width_flags(l, inst, width, op));
}

static void lower_binary(struct lowering *l, LLVMValueRef inst, enum op op) {
  unsigned width = type_width(LLVMTypeOf(inst));
  if (width > 64) {
    lower_wide_binary(l, inst);
    return;
  }
  vreg b = lower_value(l, LLVMGetOperand(inst, 0));
  vreg c = lower_value(l, LLVMGetOperand(inst, 1));
  lower_binary_of(l, inst, op, lower_result(l, inst), b, c, width);
}

void lower_compare_of(struct lowering *l, LLVMIntPredicate p, vreg to, vreg b,
                      vreg c, unsigned width) {
  static const struct {
    enum op op;
    bool swap;
  } how[] = {
      [LLVMIntEQ] = {OP_eq, false},   [LLVMIntNE] = {OP_ne, false},
      [LLVMIntUGT] = {OP_ult, true},  [LLVMIntUGE] = {OP_ule, true},
      [LLVMIntULT] = {OP_ult, false}, [LLVMIntULE] = {OP_ule, false},
      [LLVMIntSGT] = {OP_slt, true},  [LLVMIntSGE] = {OP_sle, true},
      [LLVMIntSLT] = {OP_slt, false}, [LLVMIntSLE] = {OP_sle, false},
  };
  lower_emit(l, how[p].op, to, how[p].swap ? c : b, how[p].swap ? b : c, width);
}

static void lower_icmp(struct lowering *l, LLVMValueRef inst) {
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(inst, 0));
  if (type_width(t) > 64) {
    lower_wide_compare(l, inst);
    return;
  }
  vreg b = lower_value(l, LLVMGetOperand(inst, 0));
  vreg c = lower_value(l, LLVMGetOperand(inst, 1));
  lower_compare_of(l, LLVMGetICmpPredicate(inst), lower_result(l, inst), b, c,
                   type_width(t));
}

static void lower_fcmp(struct lowering *l, LLVMValueRef inst) {
  LLVMValueRef left = LLVMGetOperand(inst, 0);
  vreg b = lower_value(l, left), c = lower_value(l, LLVMGetOperand(inst, 1));
  lower_emit(l, OP_fcmp, lower_result(l, inst), b, c,
             type_width(LLVMTypeOf(left)) | (uint64_t)LLVMGetFCmpPredicate(inst)
                                                << 8);
}

// -- casts

void lower_resize(struct lowering *l, LLVMOpcode opcode, vreg to, vreg from,
                  unsigned width_from, unsigned width_to) {
  if (width_from > 64 || width_to > 64)
    lower_wide_resize(l, opcode, to, from, width_from, width_to);
  else if (opcode == LLVMTrunc)
    lower_emit(l, OP_trunc, to, from, 0, width_to);
  else if (opcode == LLVMSExt)
    lower_emit(l, OP_sext, to, from, 0, width_from | width_to << 8);
  else
    lower_move(l, to, from, 1);
}

bool lower_float_cast(struct lowering *l, LLVMOpcode opcode, vreg to, vreg from,
                      unsigned width_from, unsigned width_to) {
  enum op op;
  switch ((int)opcode) {
  case LLVMFPToSI:
    op = OP_fptosi;
    break;
  case LLVMFPToUI:
    op = OP_fptoui;
    break;
  case LLVMSIToFP:
    op = OP_sitofp;
    break;
  case LLVMUIToFP:
    op = OP_uitofp;
    break;
  default:
    op = OP_fpconv;
  }
  if (width_from > 64 || width_to > 64)
    return lower_refuse(
        l, "conversion between floating point and 128 bits is not supported");
  bool to_integer = op == OP_fptosi || op == OP_fptoui;
  lower_emit(l, op, to, from, 0,
             width_from | (uint64_t)width_to << 8 |
                 (to_integer ? l->no_result : 0));
  return true;
}

static bool lower_cast(struct lowering *l, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  LLVMValueRef operand = LLVMGetOperand(inst, 0);
  unsigned from_width = type_width(LLVMTypeOf(operand));
  unsigned to_width = type_width(LLVMTypeOf(inst));
  switch ((int)opcode) {
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
    lower_resize(l, opcode, lower_result(l, inst), lower_value(l, operand),
                 from_width, to_width);
    return true;
  case LLVMPtrToInt:
  case LLVMIntToPtr:
    if (from_width == to_width) {
      lower_move(l, lower_result(l, inst), lower_value(l, operand), 1);
      return true;
    }
    lower_resize(l, from_width < to_width ? LLVMZExt : LLVMTrunc,
                 lower_result(l, inst), lower_value(l, operand), from_width,
                 to_width);
    return true;
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze:
    lower_move(l, lower_result(l, inst), lower_value(l, operand),
               type_slots(LLVMTypeOf(inst)));
    return true;
  default:
    return lower_float_cast(l, opcode, lower_result(l, inst),
                            lower_value(l, operand), from_width, to_width);
  }
}

// -- addresses

struct address {
  vreg base;
  uint64_t offset; // constant part
};

static void address_add(struct lowering *l, struct address *a,
                        LLVMValueRef index, uint64_t size) {
  if (LLVMIsAConstantInt(index)) {
    a->offset += (uint64_t)LLVMConstIntGetSExtValue(index) * size;
    return;
  }
  unsigned width = type_width(LLVMTypeOf(index));
  vreg i = lower_value(l, index);
  if (width > 64)
    lower_refuse(l, "a 128-bit index is not supported");
  if (width < 64)
    i = lower_op(l, OP_sext, i, 0, width | 64u << 8);
  if (size != 1)
    i = lower_op(l, OP_mul, i, lower_number(l, size), 64);
  a->base = lower_op(l, OP_add, a->base, i, 64);
}

static void lower_gep(struct lowering *l, LLVMValueRef inst) {
  struct address a = {lower_value(l, LLVMGetOperand(inst, 0)), 0};
  LLVMTypeRef t = LLVMGetGEPSourceElementType(inst);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(inst); i++) {
    LLVMValueRef index = LLVMGetOperand(inst, i);
    if (i == 1) {
      address_add(l, &a, index, type_size(l->f, t));
    } else if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      a.offset += type_field_offset(l->f, t, field);
      t = type_field(t, field);
    } else {
      t = LLVMGetElementType(t);
      address_add(l, &a, index, type_size(l->f, t));
    }
  }
  lower_move(l, lower_result(l, inst), lower_offset(l, a.base, a.offset), 1);
}

// -- aggregates in registers

// The slot of the part that the indices of extract/insertvalue name.
static uint32_t part_slot(LLVMTypeRef t, LLVMValueRef inst,
                          LLVMTypeRef *ret_part) {
  uint32_t slot = 0;
  const unsigned *path = LLVMGetIndices(inst);
  for (unsigned i = 0; i < LLVMGetNumIndices(inst); i++) {
    for (unsigned k = 0; k < path[i]; k++)
      slot += type_slots(type_field(t, k));
    t = type_field(t, path[i]);
  }
  *ret_part = t;
  return slot;
}

static void lower_extractvalue(struct lowering *l, LLVMValueRef inst) {
  LLVMValueRef whole = LLVMGetOperand(inst, 0);
  LLVMTypeRef part;
  uint32_t slot = part_slot(LLVMTypeOf(whole), inst, &part);
  lower_move(l, lower_result(l, inst), lower_value(l, whole) + slot,
             type_slots(part));
}

static void lower_insertvalue(struct lowering *l, LLVMValueRef inst) {
  LLVMTypeRef t = LLVMTypeOf(inst), part;
  vreg to = lower_result(l, inst);
  uint32_t slot = part_slot(t, inst, &part);
  vreg whole = lower_value(l, LLVMGetOperand(inst, 0));
  uint32_t n = type_slots(part), end = slot + n;
  lower_move(l, to, whole, slot);
  lower_move(l, to + slot, lower_value(l, LLVMGetOperand(inst, 1)), n);
  lower_move(l, to + end, whole + end, type_slots(t) - end);
}

static void lower_select(struct lowering *l, LLVMValueRef inst) {
  vreg condition = lower_value(l, LLVMGetOperand(inst, 0));
  vreg yes = lower_value(l, LLVMGetOperand(inst, 1));
  vreg no = lower_value(l, LLVMGetOperand(inst, 2));
  vreg to = lower_result(l, inst);
  for (uint32_t i = 0; i < type_slots(LLVMTypeOf(inst)); i++)
    lower_emit(l, OP_pick, to + i, condition, yes + i, no + i);
}

static bool computes_on_vectors(LLVMValueRef inst) {
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector:
    return true;
  case LLVMLoad:
  case LLVMStore:
  case LLVMCall:
  case LLVMInvoke:
  case LLVMRet:
  case LLVMPHI:
  case LLVMBitCast:
  case LLVMFreeze:
  case LLVMExtractValue:
  case LLVMInsertValue:
    return false;
  default:
    return is_vector(inst) ||
           (LLVMGetNumOperands(inst) && is_vector(LLVMGetOperand(inst, 0)));
  }
}

bool lower_pure(struct lowering *l, LLVMValueRef inst) {
  if (lower_vector(l, inst) || lower_wide_call(l, inst) ||
      lower_extended(l, inst))
    return true;
  if (computes_on_vectors(inst)) {
    lower_refuse(l, "vectors of this type are not supported");
    return true;
  }
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  int op = lower_binary_op(opcode);
  if (op >= 0) {
    lower_binary(l, inst, (enum op)op);
    return true;
  }
  switch ((int)opcode) {
  case LLVMICmp:
    lower_icmp(l, inst);
    return true;
  case LLVMFCmp:
    lower_fcmp(l, inst);
    return true;
  case LLVMFNeg:
    lower_emit(l, OP_fneg, lower_result(l, inst),
               lower_value(l, LLVMGetOperand(inst, 0)), 0,
               type_width(LLVMTypeOf(inst)));
    return true;
  case LLVMGetElementPtr:
    lower_gep(l, inst);
    return true;
  case LLVMExtractValue:
    lower_extractvalue(l, inst);
    return true;
  case LLVMInsertValue:
    lower_insertvalue(l, inst);
    return true;
  case LLVMSelect:
    lower_select(l, inst);
    return true;
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMFPToUI:
  case LLVMFPToSI:
  case LLVMUIToFP:
  case LLVMSIToFP:
  case LLVMFPTrunc:
  case LLVMFPExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze:
    lower_cast(l, inst);
    return true;
  default:
    return false;
  }
}
