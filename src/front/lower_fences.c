// SPDX-License-Identifier: MIT
// Places for fences that nobody wrote (heddle optimize --insert-fences): before
// each statement of a function with atomic operations stands a fence without an
// order, which orders nothing until it is given one. A statement is where
// the user of front.h says that one begins; its first instruction is the first
// of that line, because clang emits code in the order of the source.
#include "front/lower.h"

static bool has_atomics(LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      if (names_is_atomic(i))
        return true;
  return false;
}

static bool is_new_line(struct lowering *l) {
  uint64_t line = (uint64_t)l->at.file << 32 | l->at.line;
  for (uint32_t i = 0; i < l->lines.len; i++)
    if (l->lines.at[i] == line)
      return false;
  array_push(&l->lines, line);
  return true;
}

// A return to which several ways lead is behind every `return` of the function,
// not behind its last statement alone.
static bool is_shared_return(LLVMValueRef inst) {
  LLVMBasicBlockRef b = LLVMGetInstructionParent(inst);
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(b));
  return LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b)) && use &&
         LLVMGetNextUse(use);
}

void lower_fence_place(struct lowering *l, LLVMValueRef inst) {
  const struct front_options *o = l->f->options;
  if (!o->begins_statement || l->c->is_library || l->is_section ||
      !LLVMInstructionGetDebugLoc(inst) || !l->at.line ||
      LLVMIsAAllocaInst(inst) || LLVMIsAPHINode(inst) || !is_new_line(l) ||
      LLVMIsAFenceInst(inst) || is_shared_return(inst) ||
      !has_atomics(l->fn->llvm) ||
      !o->begins_statement(o->statement_arg, prog_text(l->f->prog, l->at.file),
                           l->at.line))
    return;
  struct imm_access how = {.order = ORD_NA, .how = HOW_PLACE};
  lower_emit(l, OP_fence, 0, 0, 0, imm_access(how));
}
