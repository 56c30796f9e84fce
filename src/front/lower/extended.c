// SPDX-License-Identifier: MIT
// Instructions on numbers of 80 bits, `long double` of x86: two slots, and one
// builtin that computes (bytecode/extended.h).
#include "bytecode/extended.h"
#include "front/lower/lower.h"

static bool is_extended(LLVMValueRef v) {
  return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMX86_FP80TypeKind;
}

// The two slots of the result.
static vreg compute(struct lowering *l, unsigned op, vreg x, uint32_t n,
                    vreg y) {
  vreg args = code_regs(l->c, 5), result = code_regs(l->c, 2),
       zero = lower_number(l, 0);
  lower_move(l, args, lower_number(l, op), 1);
  lower_move(l, args + 1, x, 1);
  lower_move(l, args + 2, n == 2 ? x + 1 : zero, 1);
  lower_move(l, args + 3, y == VREG_NONE ? zero : y, 1);
  lower_move(l, args + 4, y == VREG_NONE ? zero : y + 1, 1);
  lower_emit(l, OP_sys, result, args, call_slots(5, 2), BI_extended);
  return result;
}

static int binary_of(LLVMOpcode opcode) {
  switch ((int)opcode) {
  case LLVMFAdd:
    return EXTENDED_ADD;
  case LLVMFSub:
    return EXTENDED_SUB;
  case LLVMFMul:
    return EXTENDED_MUL;
  case LLVMFDiv:
    return EXTENDED_DIV;
  case LLVMFRem:
    return EXTENDED_REM;
  default:
    return -1;
  }
}

// From a float or an integer; those of fewer bits are made wider before.
static void lower_from(struct lowering *l, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  LLVMValueRef from = LLVMGetOperand(inst, 0);
  unsigned width = type_width(LLVMTypeOf(from));
  vreg x = lower_value(l, from);
  if (width > 64) {
    lower_refuse(l, "conversion between floating point and 128 bits is not "
                    "supported");
    return;
  }
  if (opcode == LLVMSIToFP && width < 64)
    x = lower_op(l, OP_sext, x, 0, width | 64u << 8);
  if (opcode == LLVMFPExt && width == 16)
    x = lower_op(l, OP_fpconv, x, 0, width | 64u << 8);
  unsigned op = opcode == LLVMSIToFP   ? EXTENDED_FROM_SIGNED
                : opcode == LLVMUIToFP ? EXTENDED_FROM_UNSIGNED
                : width == 32          ? EXTENDED_FROM_FLOAT
                                       : EXTENDED_FROM_DOUBLE;
  lower_move(l, lower_result(l, inst), compute(l, op, x, 1, VREG_NONE), 2);
}

static void lower_to(struct lowering *l, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  unsigned width = type_width(LLVMTypeOf(inst));
  if (width > 64) {
    lower_refuse(l, "conversion between floating point and 128 bits is not "
                    "supported");
    return;
  }
  if (opcode == LLVMFPTrunc && width == 16) { // by way of double: rounded twice
    lower_refuse(l, "conversion of long double to _Float16 is not supported");
    return;
  }
  unsigned op = opcode == LLVMFPToSI   ? EXTENDED_TO_SIGNED
                : opcode == LLVMFPToUI ? EXTENDED_TO_UNSIGNED
                : width == 32          ? EXTENDED_TO_FLOAT
                                       : EXTENDED_TO_DOUBLE;
  vreg x = lower_value(l, LLVMGetOperand(inst, 0));
  vreg how = VREG_NONE;
  if (op == EXTENDED_TO_SIGNED || op == EXTENDED_TO_UNSIGNED) {
    how = code_regs(l->c, 2);
    lower_move(l, how, lower_number(l, width | l->no_result), 1);
    lower_move(l, how + 1, lower_number(l, 0), 1);
  }
  vreg result = compute(l, op, x, 2, how);
  if (width < 64)
    lower_emit(l, OP_trunc, lower_result(l, inst), result, 0, width);
  else
    lower_move(l, lower_result(l, inst), result, 1);
}

static void lower_compare(struct lowering *l, LLVMValueRef inst) {
  vreg x = lower_value(l, LLVMGetOperand(inst, 0)),
       y = lower_value(l, LLVMGetOperand(inst, 1));
  unsigned op = EXTENDED_COMPARE + (unsigned)LLVMGetFCmpPredicate(inst);
  lower_move(l, lower_result(l, inst), compute(l, op, x, 2, y), 1);
}

bool lower_extended(struct lowering *l, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  bool takes =
      LLVMGetNumOperands(inst) > 0 && is_extended(LLVMGetOperand(inst, 0));
  if (!takes && !is_extended(inst))
    return false;
  int op = binary_of(opcode);
  if (op >= 0) {
    vreg x = lower_value(l, LLVMGetOperand(inst, 0)),
         y = lower_value(l, LLVMGetOperand(inst, 1));
    lower_move(l, lower_result(l, inst), compute(l, (unsigned)op, x, 2, y), 2);
    return true;
  }
  switch ((int)opcode) {
  case LLVMFNeg: {
    vreg x = lower_value(l, LLVMGetOperand(inst, 0));
    lower_move(l, lower_result(l, inst),
               compute(l, EXTENDED_NEG, x, 2, VREG_NONE), 2);
    return true;
  }
  case LLVMFCmp:
    lower_compare(l, inst);
    return true;
  case LLVMSIToFP:
  case LLVMUIToFP:
  case LLVMFPExt:
    lower_from(l, inst);
    return true;
  case LLVMFPToSI:
  case LLVMFPToUI:
  case LLVMFPTrunc:
    lower_to(l, inst);
    return true;
  default:
    return false;
  }
}
