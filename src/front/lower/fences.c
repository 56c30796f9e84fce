// SPDX-License-Identifier: MIT
// Places for fences that are not in the source (heddle optimize
// --insert-fences): before each statement of a function with atomic operations
// stands a fence without an order, which orders nothing until it is given one.
// A statement is where the user of front.h says that one begins; its first
// instruction is the first of that line, because clang emits code in the order
// of the source.
#include "front/lower/lower.h"

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

// Is it also behind the other returns of the function?
static bool is_shared(LLVMValueRef inst) {
  LLVMBasicBlockRef b = LLVMGetInstructionParent(inst);
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(b));
  return LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b)) && use &&
         LLVMGetNextUse(use);
}

static bool is_place(struct lowering *l, LLVMValueRef inst) {
  const struct front_options *o = l->f->options;
  switch (o->statement_at(o->statement_arg, prog_text(l->f->prog, l->at.file),
                          l->at.line)) {
  case LINE_OTHER:
    return false;
  case LINE_END:
    return !is_shared(inst);
  case LINE_STATEMENT:
    break;
  }
  return true;
}

void lower_fence_place(struct lowering *l, LLVMValueRef inst) {
  if (!l->f->options->statement_at || l->c->is_library || l->is_section ||
      !LLVMInstructionGetDebugLoc(inst) || !l->at.line ||
      LLVMIsAAllocaInst(inst) || LLVMIsAPHINode(inst) || !is_new_line(l) ||
      LLVMIsAFenceInst(inst) || !has_atomics(l->fn->llvm) || !is_place(l, inst))
    return;
  struct imm_access how = {.order = ORD_NA, .how = HOW_PLACE};
  lower_emit(l, OP_fence, 0, 0, 0, imm_access(how));
}
