// SPDX-License-Identifier: MIT
// Descriptions of variables are calls of llvm.dbg.declare up to LLVM 21, and
// records beside the instructions from LLVM 22 on, the first version whose C
// interface can look into records. LLVM 19 to 21 read modules into records as
// well, and have a way back to calls: a function of the C interface in 19 and
// 20, which does nothing any more in 21.
#include "front/versions.h"

#include <string.h>

bool versions_is_debug_call(LLVMValueRef inst) {
  LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
  if (!callee || !LLVMIsAFunction(callee))
    return false;
  size_t len;
  return strncmp(LLVMGetValueName2(callee, &len), "llvm.dbg.", 9) == 0;
}

// From LLVM 22 on the size, which was the first argument, is gone.
LLVMValueRef versions_lifetime_object(LLVMValueRef call) {
  return LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1);
}

#if LLVM_VERSION_MAJOR >= 22

void versions_prepare(LLVMModuleRef m) {
  (void)m;
}

LLVMValueRef versions_case_value(LLVMValueRef inst, unsigned i) {
  return LLVMGetSwitchCaseValue(inst, i);
}

void versions_variables(LLVMValueRef inst, variable_found *found,
                        void *context) {
  for (LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(inst); r;
       r = LLVMGetNextDbgRecord(r)) {
    LLVMDbgRecordKind kind = LLVMDbgRecordGetKind(r);
    if (kind != LLVMDbgRecordDeclare && kind != LLVMDbgRecordValue)
      continue;
    LLVMValueRef holder = LLVMDbgVariableRecordGetValue(r, 0);
    if (holder && (LLVMIsAInstruction(holder) || LLVMIsAArgument(holder)))
      found(context, holder, LLVMDbgVariableRecordGetVariable(r));
  }
}

#else

#if LLVM_VERSION_MAJOR == 21
// llvm::BasicBlock::convertFromNewDbgValues(), which 21 exports, but not to C.
// A reference to a block is its address.
void block_to_debug_calls(LLVMBasicBlockRef block) __asm__(
    "_ZN4llvm10BasicBlock23convertFromNewDbgValuesEv");

void versions_prepare(LLVMModuleRef m) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
      block_to_debug_calls(b);
}
#else
void versions_prepare(LLVMModuleRef m) {
  LLVMSetIsNewDbgInfoFormat(m, false);
}
#endif

// A condition, then pairs of value and block; the first has no value.
LLVMValueRef versions_case_value(LLVMValueRef inst, unsigned i) {
  return LLVMGetOperand(inst, 2 * i);
}

// The alloca or parameter that a debug call is about, or NULL.
static LLVMValueRef described_value(LLVMValueRef call) {
  LLVMValueRef wrapped = LLVMGetOperand(call, 0), inner[1];
  if (LLVMGetMetadataKind(LLVMValueAsMetadata(wrapped)) !=
      LLVMLocalAsMetadataMetadataKind)
    return NULL;
  LLVMGetMDNodeOperands(wrapped, inner);
  return inner[0];
}

void versions_variables(LLVMValueRef inst, variable_found *found,
                        void *context) {
  if (!versions_is_debug_call(inst) || LLVMGetNumArgOperands(inst) != 3)
    return;
  LLVMValueRef holder = described_value(inst);
  if (holder)
    found(context, holder, LLVMValueAsMetadata(LLVMGetOperand(inst, 1)));
}

#endif
