// SPDX-License-Identifier: MIT
// Where locals begin and end to live. clang marks the scope of each one; the
// lowering makes of it what can be told from doing nothing:
//
//   registers  a variable of a loop's body is undefined in each round
//   private    the same, and a pointer to it is of no use after its scope
//   shared     it is allocated and freed where its scope begins and ends; but
//              in a loop that would be another object in each round, and a
//              loop that waits would never come back to a state, so there it
//              lives as long as its function
//
// What is said of loops holds wherever one scope is entered more than once.
#include "front/lower/lower.h"
#include "front/versions.h"

#include <string.h>

enum marker { NO_MARKER, LIFE_BEGINS, LIFE_ENDS };

static enum marker marker_of(LLVMValueRef inst) {
  size_t len;
  LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
  const char *name =
      callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "";
  return strncmp(name, "llvm.lifetime.start", 19) == 0 ? LIFE_BEGINS
         : strncmp(name, "llvm.lifetime.end", 17) == 0 ? LIFE_ENDS
                                                       : NO_MARKER;
}

bool scope_is_marker(LLVMValueRef inst) {
  return marker_of(inst) != NO_MARKER;
}

// May the code after block `from` come to block `to`, around `avoided`?
static bool comes_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                     LLVMBasicBlockRef avoided) {
  ARRAY(LLVMBasicBlockRef) open = {0};
  struct ptrmap seen = {0};
  bool found = false;
  array_push(&open, from);
  while (open.len && !found) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(array_pop(&open));
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
      LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
      found |= next == to;
      if (next == avoided || ptrmap_find(&seen, next))
        continue;
      ptrmap_set(&seen, next, 1);
      array_push(&open, next);
    }
  }
  array_done(&open);
  ptrmap_done(&seen);
  return found;
}

// Does nothing but a return follow?
static bool is_at_return(LLVMValueRef inst) {
  while (scope_is_marker(inst) ||
         (LLVMIsALoadInst(inst) && LLVMIsAAllocaInst(LLVMGetOperand(inst, 0))))
    inst = LLVMGetNextInstruction(inst);
  return LLVMIsAReturnInst(inst);
}

// Can a life begin behind the beginning of another? It does in a loop, and in
// code that a compiler has made twice (the first round beside the loop), where
// the markers of one local stand several times.
static bool begins_again(const LLVMBasicBlockRef *begins, size_t n) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if ((i != j && begins[i] == begins[j]) ||
          comes_to(begins[i], begins[j], NULL))
        return true;
  return false;
}

// An optimiser moves and merges markers: the life of what is not alive ends, to
// no effect. Is that possible behind this one?
static bool ends_twice(LLVMValueRef alloca, LLVMValueRef end,
                       LLVMBasicBlockRef begin) {
  LLVMBasicBlockRef at = LLVMGetInstructionParent(end);
  LLVMBasicBlockRef entry =
      LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(begin));
  if (at != begin &&
      (at == entry || (entry != begin && comes_to(entry, at, begin))))
    return true;
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef other = LLVMGetUser(u);
    LLVMBasicBlockRef there = LLVMGetInstructionParent(other);
    if (other != end && marker_of(other) == LIFE_ENDS &&
        (there == at || comes_to(at, there, begin)))
      return true;
  }
  return false;
}

static bool is_strict(LLVMValueRef alloca, LLVMBasicBlockRef begin) {
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (marker_of(user) == LIFE_BEGINS &&
        LLVMGetInstructionParent(user) != begin)
      return false;
    if (marker_of(user) == LIFE_ENDS && ends_twice(alloca, user, begin))
      return false;
  }
  return true;
}

enum scope scope_of(struct lowering *l, LLVMValueRef alloca) {
  ARRAY(LLVMBasicBlockRef) begins = {0};
  bool is_inner = false;
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    enum marker m = marker_of(LLVMGetUser(u));
    if (m == LIFE_BEGINS)
      array_push(&begins, LLVMGetInstructionParent(LLVMGetUser(u)));
    is_inner |= m == LIFE_ENDS && !is_at_return(LLVMGetUser(u));
  }
  bool is_written = !module_is_optimised(l->fn->module->file);
  enum scope scope = SCOPE_FUNCTION;
  if (begins.len && is_inner && begins_again(begins.at, begins.len))
    scope = SCOPE_LOOP;
  else if (begins.len && is_inner &&
           (is_written || is_strict(alloca, begins.at[0])))
    scope = SCOPE_BLOCK;
  array_done(&begins);
  return scope;
}

static void lower_shared_life(struct lowering *l, LLVMValueRef alloca,
                              bool begins) {
  if (begins)
    lower_stack_object(l, alloca);
  else
    lower_emit(l, OP_stack_end, lower_value(l, alloca), 0, 0, 0);
}

void lower_lifetime(struct lowering *l, LLVMValueRef call, bool begins) {
  LLVMValueRef alloca = versions_lifetime_object(call);
  if (!LLVMIsAAllocaInst(alloca))
    return;
  enum scope scope = scope_of(l, alloca);
  if (scope == SCOPE_FUNCTION)
    return;
  switch (lower_place(l, alloca)) {
  case PLACE_REGISTERS:
    if (begins && scope == SCOPE_LOOP)
      lower_undef(l, lower_value(l, alloca), LLVMGetAllocatedType(alloca));
    return;
  case PLACE_PRIVATE:
    if (!begins || scope == SCOPE_LOOP)
      lower_emit(l, OP_scope, lower_value(l, alloca), 0, 0, begins);
    return;
  case PLACE_SHARED:
    if (scope == SCOPE_BLOCK)
      lower_shared_life(l, alloca, begins);
  }
}
