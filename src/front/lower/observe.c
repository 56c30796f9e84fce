// SPDX-License-Identifier: MIT
// Branches of assertions. An assertion observes the program and is no part of
// it: nothing that follows may depend on it, or a check would hide what happens
// without it. clang makes branches of `assert(a && b)`; the ones that decide
// nothing but whether the assertion fails are marked here, and start no control
// dependency.
//
// Such a branch leads to a block that begins with the call of __assert_fail, or
// to further blocks of the same condition. The blocks of a condition are found
// backwards: both ways out of each lead to such a block or to where the whole
// condition leads, and only one of them can be entered from elsewhere. The
// value of `a || b` as an operand is a phi, whose blocks are found the same
// way.
#include "front/lower/lower.h"

#include <string.h>

struct condition {
  ARRAY(LLVMBasicBlockRef) blocks; // that evaluate it
  ARRAY(LLVMBasicBlockRef) ends;   // where it leads to
};

#define HAS(list, b) has((list).at, (list).len, b)
static bool has(const LLVMBasicBlockRef *at, uint32_t n, LLVMBasicBlockRef b) {
  for (uint32_t i = 0; i < n; i++)
    if (at[i] == b)
      return true;
  return false;
}

static bool is_branch(LLVMValueRef inst) {
  return LLVMGetInstructionOpcode(inst) == LLVMBr;
}

static bool is_two_way(LLVMBasicBlockRef b) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
  return is_branch(last) && LLVMIsConditional(last);
}

static LLVMBasicBlockRef way_out(LLVMBasicBlockRef b, unsigned i) {
  return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), i);
}

static const char *called(LLVMValueRef inst) {
  size_t len;
  if (!LLVMIsACallInst(inst))
    return "";
  LLVMValueRef callee = LLVMGetCalledValue(inst);
  return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "";
}

static bool is_failure(LLVMBasicBlockRef b) {
  LLVMValueRef first = LLVMGetFirstInstruction(b);
  return first && strcmp(called(first), "__assert_fail") == 0;
}

// -- the blocks of a condition

static bool stays_inside(const struct condition *c, LLVMBasicBlockRef b) {
  unsigned n = LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b));
  for (unsigned i = 0; i < n; i++)
    if (!HAS(c->blocks, way_out(b, i)) && !HAS(c->ends, way_out(b, i)))
      return false;
  return true;
}

// Blocks from which one goes to `b`: calls `visit` with each.
static void for_each_before(struct condition *c, LLVMBasicBlockRef b,
                            void (*visit)(struct condition *,
                                          LLVMBasicBlockRef)) {
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u;
       u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsATerminatorInst(user))
      visit(c, LLVMGetInstructionParent(user));
  }
}

static void add_block(struct condition *c, LLVMBasicBlockRef b) {
  if (is_two_way(b) && !HAS(c->blocks, b))
    array_push(&c->blocks, b);
}

static void add_if_inside(struct condition *c, LLVMBasicBlockRef b) {
  if (stays_inside(c, b))
    add_block(c, b);
}

// A block may have to wait for another one that comes later.
static void grow(struct condition *c) {
  for (uint32_t before = 0; before != c->blocks.len;) {
    before = c->blocks.len;
    for (uint32_t i = 0; i < c->blocks.len; i++)
      for_each_before(c, c->blocks.at[i], add_if_inside);
  }
}

static bool is_entered(const struct condition *c, LLVMBasicBlockRef b) {
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u;
       u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsATerminatorInst(user) &&
        !HAS(c->blocks, LLVMGetInstructionParent(user)))
      return true;
  }
  return false;
}

static bool has_one_entry(const struct condition *c) {
  uint32_t entries = 0;
  for (uint32_t i = 0; i < c->blocks.len; i++)
    entries += is_entered(c, c->blocks.at[i]);
  return entries <= 1;
}

static void condition_done(struct condition *c) {
  array_done(&c->blocks);
  array_done(&c->ends);
}

// -- values that an assertion looks at

static void observe_value(struct lowering *l, LLVMValueRef v);

static void observe_branch(struct lowering *l, LLVMBasicBlockRef b) {
  if (!is_two_way(b) || ptrmap_find(&l->observers, b))
    return;
  ptrmap_set(&l->observers, b, 1);
  observe_value(l, LLVMGetCondition(LLVMGetBasicBlockTerminator(b)));
}

static void observe_phi(struct lowering *l, LLVMValueRef phi) {
  struct condition c = {0};
  array_push(&c.ends, LLVMGetInstructionParent(phi));
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (!HAS(c.blocks, LLVMGetIncomingBlock(phi, i)))
      array_push(&c.blocks, LLVMGetIncomingBlock(phi, i));
  grow(&c);
  if (has_one_entry(&c)) {
    for (uint32_t i = 0; i < c.blocks.len; i++)
      if (stays_inside(&c, c.blocks.at[i]))
        observe_branch(l, c.blocks.at[i]);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
      observe_value(l, LLVMGetIncomingValue(phi, i));
  }
  condition_done(&c);
}

// Follows what is computed for the assertion and for nothing else.
static void observe_value(struct lowering *l, LLVMValueRef v) {
  if (!LLVMIsAInstruction(v))
    return;
  LLVMUseRef use = LLVMGetFirstUse(v);
  if (!use || LLVMGetNextUse(use))
    return;
  switch (LLVMGetInstructionOpcode(v)) {
  case LLVMPHI:
    observe_phi(l, v);
    break;
  case LLVMICmp:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMXor:
  case LLVMAnd:
  case LLVMOr:
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
      observe_value(l, LLVMGetOperand(v, (unsigned)i));
    break;
  default:
    break;
  }
}

static void observe_failure(struct lowering *l, LLVMBasicBlockRef failure) {
  struct condition c = {0};
  for_each_before(&c, failure, add_block);
  uint32_t direct = c.blocks.len;
  array_push(&c.ends, failure);
  for (uint32_t i = 0; i < direct; i++)
    for (unsigned way = 0; way < 2; way++)
      if (!HAS(c.blocks, way_out(c.blocks.at[i], way)))
        array_push(&c.ends, way_out(c.blocks.at[i], way));
  grow(&c);
  if (!has_one_entry(&c))
    c.blocks.len = direct;
  for (uint32_t i = 0; i < c.blocks.len; i++)
    observe_branch(l, c.blocks.at[i]);
  condition_done(&c);
}

// The name that benchmarks use for an assertion, in the library or their own.
static bool is_assertion(const char *name) {
  return strcmp(name, "__VERIFIER_assert") == 0;
}

void observe_find(struct lowering *l) {
  size_t len;
  bool is_all = is_assertion(LLVMGetValueName2(l->fn->llvm, &len));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->fn->llvm); b;
       b = LLVMGetNextBasicBlock(b)) {
    if (is_all)
      observe_branch(l, b);
    if (is_failure(b))
      observe_failure(l, b);
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      if (is_assertion(called(i)) && LLVMGetNumArgOperands(i) > 0)
        observe_value(l, LLVMGetOperand(i, 0));
  }
}
