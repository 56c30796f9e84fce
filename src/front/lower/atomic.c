// SPDX-License-Identifier: MIT
// Atomic updates. An update is a load half, pure code and a store half. An
// artefact of clang is undone here, because it would show up as executions
// that the source does not have: `x *= 2` on an atomic comes as a
// compare-exchange loop and becomes one update.
#include "front/lower/lower.h"

enum order lower_order(LLVMAtomicOrdering o) {
  switch (o) {
  case LLVMAtomicOrderingNotAtomic:
    return ORD_NA;
  case LLVMAtomicOrderingUnordered:
  case LLVMAtomicOrderingMonotonic:
    return ORD_RLX;
  case LLVMAtomicOrderingAcquire:
    return ORD_ACQ;
  case LLVMAtomicOrderingRelease:
    return ORD_REL;
  case LLVMAtomicOrderingAcquireRelease:
    return ORD_ACQREL;
  case LLVMAtomicOrderingSequentiallyConsistent:
    return ORD_SC;
  }
  fatal_internal(__FILE__, __LINE__, "a memory order");
}

static bool update_size(struct lowering *l, LLVMTypeRef t, uint8_t *ret) {
  unsigned width = type_width(t);
  *ret = (uint8_t)((width + 7) / 8);
  if (width == 8 || width == 16 || width == 32 || width == 64 || width == 128)
    return true;
  return lower_refuse(l, "an atomic update of %u bits is not supported", width);
}

// -- compare-exchange

void lower_cas(struct lowering *l, vreg old, vreg ok, vreg address,
               vreg expected, vreg wanted, struct imm_access how) {
  uint64_t imm = imm_access(how);
  bool is_branch = !(how.how & HOW_PICK);
  vreg saved = is_branch ? guards_before(l) : 0; // its own write alone
  lower_emit(l, OP_cas_load, old, address, expected, imm);
  lower_emit(l, OP_cas_store, address, wanted, expected, imm);
  lower_emit(l, OP_cas_ok, ok, old, expected, how.size * 8u);
  if (is_branch)
    guards_after(l, saved);
}

// The store half of a compound update; what the loop computed goes out.
static void lower_rmw_end(struct lowering *l, LLVMValueRef inst) {
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(inst, 1));
  LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetInstructionParent(inst));
  struct imm_access how = {
      .order = (uint8_t)lower_order(LLVMGetCmpXchgSuccessOrdering(inst))};
  if (!update_size(l, t, &how.size))
    return;
  uint32_t n = type_slots(t);
  vreg to = lower_result(l, inst);
  vreg wanted = lower_value(l, LLVMGetOperand(inst, 2));
  names_access(l->f, LLVMGetOperand(inst, 0), 0, how.size, &l->at);
  lower_emit(l, OP_rmw_store, lower_value(l, LLVMGetOperand(inst, 0)), wanted,
             0, imm_access(how));
  own_order(l, inst, lower_value(l, LLVMGetOperand(inst, 0)), 0,
            (enum order)how.order, ORD_NA);
  lower_move(l, to, lower_value(l, phi), n);
  lower_move(l, to + n, lower_number(l, 1), 1);
}

void lower_rmw_begin(struct lowering *l, LLVMBasicBlockRef b) {
  LLVMValueRef phi = LLVMGetFirstInstruction(b), inst = phi;
  while (!LLVMIsAAtomicCmpXchgInst(inst))
    inst = LLVMGetNextInstruction(inst);
  l->inst = inst;
  l->at = names_source(l->f, inst);
  struct imm_access how = {
      .order = (uint8_t)lower_order(LLVMGetCmpXchgSuccessOrdering(inst))};
  if (!update_size(l, LLVMTypeOf(LLVMGetOperand(inst, 1)), &how.size))
    return;
  names_access(l->f, LLVMGetOperand(inst, 0), 0, how.size, &l->at);
  lower_emit(l, OP_rmw_load, lower_result(l, phi),
             lower_value(l, LLVMGetOperand(inst, 0)), 0, imm_access(how));
}

// --weak-cas strong: a report on the program has to say so.
static bool may_fail_for_no_reason(struct lowering *l, LLVMValueRef inst) {
  bool is_weak = LLVMGetWeak(inst) != 0;
  bool is_supposed = is_weak && l->f->options->weak_cas_is_strong;
  if (is_supposed)
    l->f->prog->supposed |= 1 << SUPPOSES_STRONG_CAS;
  return is_weak && !is_supposed;
}

void lower_cmpxchg(struct lowering *l, LLVMValueRef inst) {
  if (ptrmap_find(&l->rmw_loops, LLVMGetInstructionParent(inst))) {
    lower_rmw_end(l, inst);
    return;
  }
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(inst, 1));
  struct imm_access how = {
      .order = (uint8_t)lower_order(LLVMGetCmpXchgSuccessOrdering(inst)),
      .order_fail = (uint8_t)lower_order(LLVMGetCmpXchgFailureOrdering(inst)),
      .is_volatile = LLVMGetVolatile(inst) != 0,
      .is_weak = may_fail_for_no_reason(l, inst)};
  if (!update_size(l, t, &how.size))
    return;
  vreg address = lower_value(l, LLVMGetOperand(inst, 0));
  vreg expected = lower_value(l, LLVMGetOperand(inst, 1));
  vreg wanted = lower_value(l, LLVMGetOperand(inst, 2));
  vreg to = lower_result(l, inst);
  names_access(l->f, LLVMGetOperand(inst, 0), 0, how.size, &l->at);
  // The value read must not share registers with the flag that follows it.
  uint32_t n = type_slots(t);
  vreg old = code_regs(l->c, n);
  lower_cas(l, old, to + n, address, expected, wanted, how);
  own_order(l, inst, address, to + n, (enum order)how.order,
            (enum order)how.order_fail);
  lower_move(l, to, old, n);
}

// -- read-modify-write

static vreg extremum(struct lowering *l, enum op less, vreg old, vreg arg,
                     bool max, unsigned width) {
  vreg is_less = lower_op(l, less, old, arg, width);
  return lower_op(l, OP_select, is_less, max ? arg : old, max ? old : arg);
}

// fmin and fmax ignore a NaN if the other operand is a number.
static vreg float_extremum(struct lowering *l, vreg old, vreg arg, bool max,
                           unsigned width) {
  uint64_t better = max ? LLVMRealOGT : LLVMRealOLT, nan = LLVMRealUNO;
  vreg keep =
      lower_op(l, OP_or, lower_op(l, OP_fcmp, old, arg, width | better << 8),
               lower_op(l, OP_fcmp, arg, arg, width | nan << 8), 0);
  return lower_op(l, OP_select, keep, old, arg);
}

static vreg updated(struct lowering *l, LLVMAtomicRMWBinOp op, vreg old,
                    vreg arg, unsigned width) {
  switch ((int)op) {
  case LLVMAtomicRMWBinOpAdd:
    return lower_op(l, OP_add, old, arg, width);
  case LLVMAtomicRMWBinOpSub:
    return lower_op(l, OP_sub, old, arg, width);
  case LLVMAtomicRMWBinOpAnd:
    return lower_op(l, OP_and, old, arg, 0);
  case LLVMAtomicRMWBinOpOr:
    return lower_op(l, OP_or, old, arg, 0);
  case LLVMAtomicRMWBinOpXor:
    return lower_op(l, OP_xor, old, arg, 0);
  case LLVMAtomicRMWBinOpNand: {
    vreg ones = lower_number(l, UINT64_MAX >> (64 - width));
    return lower_op(l, OP_xor, lower_op(l, OP_and, old, arg, 0), ones, 0);
  }
  case LLVMAtomicRMWBinOpMax:
    return extremum(l, OP_slt, old, arg, /*max=*/true, width);
  case LLVMAtomicRMWBinOpMin:
    return extremum(l, OP_slt, old, arg, /*max=*/false, width);
  case LLVMAtomicRMWBinOpUMax:
    return extremum(l, OP_ult, old, arg, /*max=*/true, width);
  case LLVMAtomicRMWBinOpUMin:
    return extremum(l, OP_ult, old, arg, /*max=*/false, width);
  case LLVMAtomicRMWBinOpFAdd:
    return lower_op(l, OP_fadd, old, arg, width);
  case LLVMAtomicRMWBinOpFSub:
    return lower_op(l, OP_fsub, old, arg, width);
  case LLVMAtomicRMWBinOpFMax:
    return float_extremum(l, old, arg, /*max=*/true, width);
  case LLVMAtomicRMWBinOpFMin:
    return float_extremum(l, old, arg, /*max=*/false, width);
  default:
    lower_refuse(l, "this atomic operation is not supported");
    return arg;
  }
}

void lower_rmw(struct lowering *l, LLVMAtomicRMWBinOp op, vreg to, vreg address,
               vreg arg, struct imm_access how) {
  if (how.size == 16 && op != LLVMAtomicRMWBinOpXchg)
    lower_refuse(l, "128-bit atomic arithmetic is not supported");
  lower_emit(l, OP_rmw_load, to, address, 0, imm_access(how));
  vreg now = op == LLVMAtomicRMWBinOpXchg
                 ? arg
                 : updated(l, op, to, arg, how.size * 8u);
  lower_emit(l, OP_rmw_store, address, now, 0, imm_access(how));
}

void lower_atomicrmw(struct lowering *l, LLVMValueRef inst) {
  struct imm_access how = {.order = (uint8_t)lower_order(LLVMGetOrdering(inst)),
                           .is_volatile = LLVMGetVolatile(inst) != 0};
  if (!update_size(l, LLVMTypeOf(inst), &how.size))
    return;
  vreg address = lower_value(l, LLVMGetOperand(inst, 0));
  vreg arg = lower_value(l, LLVMGetOperand(inst, 1));
  names_access(l->f, LLVMGetOperand(inst, 0), 0, how.size, &l->at);
  lower_rmw(l, LLVMGetAtomicRMWBinOp(inst), lower_result(l, inst), address, arg,
            how);
  own_order(l, inst, address, 0, (enum order)how.order, ORD_NA);
}

void lower_fence(struct lowering *l, LLVMValueRef inst) {
  if (LLVMIsAtomicSingleThread(inst))
    return; // a signal fence orders nothing between threads
  lower_fence_of(l, lower_order(LLVMGetOrdering(inst)), FENCE_C11);
}

void lower_fence_of(struct lowering *l, enum order order,
                    enum fence_kind fence) {
  struct imm_access how = {.order = (uint8_t)order, .fence = (uint8_t)fence};
  lower_emit(l, OP_fence, 0, 0, 0, imm_access(how));
}

// -- patterns

// The cmpxchg whose part `index` a value is, through casts; or NULL.
static LLVMValueRef part_of_cmpxchg(LLVMValueRef v, unsigned index) {
  while (LLVMIsABitCastInst(v) || LLVMIsAIntToPtrInst(v))
    v = LLVMGetOperand(v, 0);
  if (!LLVMIsAExtractValueInst(v) || LLVMGetNumIndices(v) != 1 ||
      LLVMGetIndices(v)[0] != index)
    return NULL;
  LLVMValueRef whole = LLVMGetOperand(v, 0);
  return LLVMIsAAtomicCmpXchgInst(whole) ? whole : NULL;
}

static unsigned count_uses(LLVMValueRef v) {
  unsigned n = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
    n++;
  return n;
}

static bool is_loop_code(const struct lowering *l, LLVMValueRef i) {
  LLVMValueRef pointer = LLVMIsALoadInst(i)    ? LLVMGetOperand(i, 0)
                         : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
                                               : NULL;
  if (pointer)
    return LLVMIsAAllocaInst(pointer) &&
           lower_place(l, pointer) == PLACE_REGISTERS;
  return !LLVMIsACallInst(i) && !LLVMIsAAtomicRMWInst(i) &&
         !LLVMIsAFenceInst(i) && !LLVMIsAAllocaInst(i) && !LLVMIsAPHINode(i);
}

static LLVMValueRef strip_casts(LLVMValueRef v) {
  while (LLVMIsABitCastInst(v) || LLVMIsAIntToPtrInst(v) ||
         LLVMIsAPtrToIntInst(v))
    v = LLVMGetOperand(v, 0);
  return v;
}

// The only cmpxchg of a block whose other code is pure; or NULL.
static LLVMValueRef loop_cmpxchg(const struct lowering *l,
                                 LLVMBasicBlockRef b) {
  LLVMValueRef found = NULL;
  for (LLVMValueRef i = LLVMGetNextInstruction(LLVMGetFirstInstruction(b)); i;
       i = LLVMGetNextInstruction(i)) {
    if (LLVMIsAAtomicCmpXchgInst(i) && !found)
      found = i;
    else if (!is_loop_code(l, i))
      return NULL;
  }
  return found;
}

// Marks the loop `old = load; do new = f(old) while (!cas(old, new))`.
static void find_rmw_loop(struct lowering *l, LLVMBasicBlockRef b) {
  LLVMValueRef phi = LLVMGetFirstInstruction(b),
               br = LLVMGetBasicBlockTerminator(b);
  if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2 ||
      !LLVMIsABranchInst(br) || !LLVMIsConditional(br) ||
      LLVMGetSuccessor(br, 1) != b)
    return;
  LLVMValueRef cas = loop_cmpxchg(l, b);
  unsigned inner = LLVMGetIncomingBlock(phi, 0) == b ? 0 : 1;
  LLVMValueRef first = LLVMGetIncomingValue(phi, 1 - inner);
  LLVMValueRef load = strip_casts(first);
  if (!cas || part_of_cmpxchg(LLVMGetCondition(br), 1) != cas ||
      part_of_cmpxchg(LLVMGetIncomingValue(phi, inner), 0) != cas ||
      strip_casts(LLVMGetOperand(cas, 1)) != phi || !LLVMIsALoadInst(load) ||
      // So the address is known before the loop.
      LLVMGetOperand(load, 0) != LLVMGetOperand(cas, 0) ||
      count_uses(load) != 1 || count_uses(first) != 1)
    return;
  ptrmap_set(&l->rmw_loops, b, 1);
  for (; first != load; first = LLVMGetOperand(first, 0))
    ptrmap_set(&l->skipped, first, 1);
  ptrmap_set(&l->skipped, load, 1);
}

void lower_find_patterns(struct lowering *l) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->fn->llvm); b;
       b = LLVMGetNextBasicBlock(b))
    find_rmw_loop(l, b);
}
