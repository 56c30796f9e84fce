// SPDX-License-Identifier: MIT
// Lowers one function: its values become registers, its blocks labels, its
// phis moves on the edges. Nothing is optimised away here: every access and
// every dependency that the source has must survive.
#include "front/lower/lower.h"
#include "front/versions.h"

#include "base/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// -- helpers for all of lower*.c

bool lower_refuse(struct lowering *l, const char *fmt, ...) {
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return front_refuse(l->f, l->inst, "%s", text);
}

void lower_emit(struct lowering *l, enum op op, vreg a, vreg b, vreg c,
                uint64_t imm) {
  code_emit(l->c, op, a, b, c, imm, l->at);
}

vreg lower_op(struct lowering *l, enum op op, vreg b, vreg c, uint64_t imm) {
  vreg to = code_reg(l->c);
  lower_emit(l, op, to, b, c, imm);
  return to;
}

void lower_move(struct lowering *l, vreg to, vreg from, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    lower_emit(l, OP_mov, to + i, from + i, 0, 0);
}

vreg lower_number(struct lowering *l, uint64_t value) {
  return code_const(l->c, value);
}

vreg lower_offset(struct lowering *l, vreg base, uint64_t offset) {
  if (!offset)
    return base;
  const struct vconst *k =
      is_const_reg(base) ? &l->c->consts.at[base & ~VREG_CONST] : NULL;
  if (k && !k->is_label)
    return lower_number(l, k->value + offset);
  return lower_op(l, OP_add, base, lower_number(l, offset), 64);
}

label_id lower_label(struct lowering *l, LLVMBasicBlockRef b) {
  const uint32_t *known = ptrmap_find(&l->fn->labels, b);
  if (known)
    return *known;
  label_id fresh = code_label(l->c);
  ptrmap_set(&l->fn->labels, b, fresh);
  return fresh;
}

enum place lower_place(const struct lowering *l, LLVMValueRef alloca) {
  const uint32_t *place = ptrmap_find(&l->places, alloca);
  return place ? (enum place) * place : PLACE_SHARED;
}

// -- values

void lower_undef(struct lowering *l, vreg to, LLVMTypeRef t) {
  uint32_t n = type_slots(t);
  uint64_t width = n == 1 ? type_width(t) : 64;
  for (uint32_t i = 0; i < n; i++)
    lower_emit(l, OP_undef, to + i, 0, 0, width);
}

static void materialise(struct lowering *l, LLVMValueRef v, vreg to);

static void materialise_parts(struct lowering *l, LLVMValueRef v, vreg to) {
  LLVMTypeRef t = LLVMTypeOf(v);
  for (unsigned i = 0; i < type_fields(t); i++) {
    materialise(l, LLVMGetAggregateElement(v, i), to);
    to += type_slots(type_field(t, i));
  }
}

// Puts a constant that is more than one number into registers.
static void materialise(struct lowering *l, LLVMValueRef v, vreg to) {
  LLVMTypeRef t = LLVMTypeOf(v);
  uint32_t n = type_slots(t);
  uint64_t slots[MAX_CALL_SLOTS];
  if (LLVMIsUndef(v)) {
    lower_undef(l, to, t);
  } else if (constant_slots(l->f, v, slots)) {
    for (uint32_t i = 0; i < n; i++)
      lower_emit(l, OP_mov, to + i, lower_number(l, slots[i]), 0, 0);
  } else if (type_is_aggregate(t) && LLVMGetAggregateElement(v, 0)) {
    materialise_parts(l, v, to);
  } else if (LLVMIsAGlobalVariable(v)) { // thread-local
    lower_emit(l, OP_tls, to, 0, 0, front_global(l->f, v));
  } else if (LLVMIsAConstantExpr(v) &&
             LLVMGetConstOpcode(v) == LLVMGetElementPtr &&
             type_gep_offset(l->f, v, slots)) { // inside of a thread-local
    vreg base = lower_value(l, LLVMGetOperand(v, 0));
    lower_move(l, to, lower_op(l, OP_add, base, lower_number(l, *slots), 64),
               1);
  } else if (LLVMIsAConstantExpr(v) && n == 1 && type_width(t) == 64 &&
             (LLVMGetConstOpcode(v) == LLVMPtrToInt ||
              LLVMGetConstOpcode(v) == LLVMIntToPtr)) { // of such an address
    lower_move(l, to, lower_value(l, LLVMGetOperand(v, 0)), 1);
  } else if (LLVMIsABlockAddress(v) &&
             LLVMGetBlockAddressFunction(v) == l->fn->llvm) {
    label_id label = lower_label(l, LLVMGetBlockAddressBasicBlock(v));
    lower_emit(l, OP_mov, to, code_label_address(l->c, label), 0, 0);
  } else {
    char *text = LLVMPrintValueToString(v);
    lower_refuse(l, "the constant `%s` is not supported", text);
    LLVMDisposeMessage(text);
  }
}

static bool check_type(struct lowering *l, LLVMTypeRef t) {
  if (type_supported(t) && type_slots(t) <= MAX_CALL_SLOTS)
    return true;
  if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind)
    return lower_refuse(l, "integers of %u bits are not supported",
                        LLVMGetIntTypeWidth(t));
  char *text = LLVMPrintTypeToString(t);
  lower_refuse(l, "values of type %s (as LLVM says it) are not supported",
               text);
  LLVMDisposeMessage(text);
  return false;
}

static vreg constant_value(struct lowering *l, LLVMValueRef v) {
  uint32_t n = type_slots(LLVMTypeOf(v));
  uint64_t number;
  if (n == 1 && !LLVMIsUndef(v) && constant_slots(l->f, v, &number))
    return lower_number(l, number);
  vreg to = code_regs(l->c, n);
  materialise(l, v, to);
  return to;
}

vreg lower_result(struct lowering *l, LLVMValueRef v) {
  const uint32_t *known = ptrmap_find(&l->values, v);
  if (known)
    return *known;
  if (!check_type(l, LLVMTypeOf(v)))
    return code_reg(l->c);
  vreg fresh = code_regs(l->c, type_slots(LLVMTypeOf(v)));
  ptrmap_set(&l->values, v, fresh);
  return fresh;
}

vreg lower_value(struct lowering *l, LLVMValueRef v) {
  if (!LLVMIsAConstant(v))
    return lower_result(l, v);
  if (!check_type(l, LLVMTypeOf(v)))
    return code_reg(l->c);
  return constant_value(l, v);
}

// -- phis

// All phis of a block change at once, so their new values are collected first.
static void edge_moves(struct lowering *l, LLVMBasicBlockRef from,
                       LLVMBasicBlockRef to) {
  if (ptrmap_find(&l->rmw_loops, to))
    return;
  ARRAY(vreg) moves = {0}; // triples: phi, its new value, slots
  for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i))
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
      if (LLVMGetIncomingBlock(i, k) != from)
        continue;
      uint32_t n = type_slots(LLVMTypeOf(i));
      vreg fresh = code_regs(l->c, n);
      lower_move(l, fresh, lower_value(l, LLVMGetIncomingValue(i, k)), n);
      array_push(&moves, lower_result(l, i));
      array_push(&moves, fresh);
      array_push(&moves, n);
      break;
    }
  for (uint32_t i = 0; i < moves.len; i += 3)
    lower_move(l, moves.at[i], moves.at[i + 1], moves.at[i + 2]);
  array_done(&moves);
}

static bool has_phis(const struct lowering *l, LLVMBasicBlockRef b) {
  return LLVMIsAPHINode(LLVMGetFirstInstruction(b)) &&
         !ptrmap_find(&l->rmw_loops, b);
}

label_id lower_edge(struct lowering *l, LLVMBasicBlockRef from,
                    LLVMBasicBlockRef to, edge_list *pending) {
  if (!has_phis(l, to))
    return lower_label(l, to);
  label_id fresh = code_label(l->c);
  array_push(pending, (struct edge){from, to, fresh});
  return fresh;
}

void lower_edges(struct lowering *l, edge_list *pending) {
  for (uint32_t i = 0; i < pending->len; i++) {
    const struct edge *e = &pending->at[i];
    code_place(l->c, e->label);
    edge_moves(l, e->from, e->to);
    lower_emit(l, OP_jmp, 0, 0, 0, lower_label(l, e->to));
  }
  array_done(pending);
}

// -- terminators

static void go_to(struct lowering *l, LLVMBasicBlockRef here,
                  LLVMBasicBlockRef to) {
  edge_moves(l, here, to);
  lower_emit(l, OP_jmp, 0, 0, 0, lower_label(l, to));
}

// `if (__heddle_mentions_NAME)` in rt/: is the answer what is known already?
// Then nothing is left of the code behind the other one.
static bool is_question(const struct lowering *l, LLVMValueRef condition,
                        bool *answer) {
  if (!LLVMIsAICmpInst(condition) ||
      LLVMGetICmpPredicate(condition) != LLVMIntNE ||
      !LLVMIsNull(LLVMGetOperand(condition, 1)))
    return false;
  LLVMValueRef load = LLVMGetOperand(condition, 0);
  if (!LLVMIsALoadInst(load) || !question_is(LLVMGetOperand(load, 0)))
    return false;
  *answer = question_answer(l->f, LLVMGetOperand(load, 0));
  return true;
}

static void lower_br(struct lowering *l, LLVMValueRef br) {
  LLVMBasicBlockRef here = LLVMGetInstructionParent(br);
  bool answer;
  if (!LLVMIsConditional(br)) {
    go_to(l, here, LLVMGetSuccessor(br, 0));
    return;
  }
  if (ptrmap_find(&l->rmw_loops, here)) { // leaves after one round
    go_to(l, here, LLVMGetSuccessor(br, LLVMGetSuccessor(br, 0) == here));
    return;
  }
  if (is_question(l, LLVMGetCondition(br), &answer)) {
    go_to(l, here, LLVMGetSuccessor(br, !answer));
    return;
  }
  edge_list pending = {0};
  vreg condition = lower_value(l, LLVMGetCondition(br));
  label_id yes = lower_edge(l, here, LLVMGetSuccessor(br, 0), &pending);
  label_id no = lower_edge(l, here, LLVMGetSuccessor(br, 1), &pending);
  lower_emit(l, OP_br, condition, ptrmap_find(&l->observers, here) != NULL, 0,
             imm_targets(yes, no));
  lower_edges(l, &pending);
}

static void lower_switch(struct lowering *l, LLVMValueRef inst) {
  LLVMBasicBlockRef here = LLVMGetInstructionParent(inst);
  LLVMValueRef condition = LLVMGetOperand(inst, 0);
  if (type_slots(LLVMTypeOf(condition)) != 1) {
    lower_refuse(l, "a switch over a 128-bit value is not supported");
    return;
  }
  edge_list pending = {0};
  uint32_t first = l->c->cases.len;
  for (unsigned i = 1; i < LLVMGetNumSuccessors(inst); i++) {
    uint64_t value = LLVMConstIntGetZExtValue(versions_case_value(inst, i));
    label_id to = lower_edge(l, here, LLVMGetSuccessor(inst, i), &pending);
    array_push(&l->c->cases, (struct switch_case){value, to});
  }
  label_id other =
      lower_edge(l, here, LLVMGetSwitchDefaultDest(inst), &pending);
  array_push(&l->c->tables,
             (struct vtable){first, l->c->cases.len - first, other});
  lower_emit(l, OP_switch, lower_value(l, condition), 0, 0,
             l->c->tables.len - 1);
  lower_edges(l, &pending);
}

// A computed goto has no place for moves on its edges, so the moves of all
// possible targets are done before it.
static void lower_indirectbr(struct lowering *l, LLVMValueRef inst) {
  LLVMBasicBlockRef here = LLVMGetInstructionParent(inst);
  vreg target = lower_value(l, LLVMGetOperand(inst, 0));
  for (unsigned i = 0; i < LLVMGetNumSuccessors(inst); i++)
    edge_moves(l, here, LLVMGetSuccessor(inst, i));
  lower_emit(l, OP_ijmp, target, 0, 0, 0);
}

void lower_stack_ends(struct lowering *l) {
  for (uint32_t i = 0; i < l->stack_objects.len; i++)
    lower_emit(l, OP_stack_end, l->stack_objects.at[i], 0, 0, 0);
  for (uint32_t i = 0; i < l->late_objects.len; i++) {
    label_id end = code_label(l->c), next = code_label(l->c);
    lower_emit(l, OP_br, l->late_objects.at[i], 0, 0, imm_targets(end, next));
    code_place(l->c, end);
    lower_emit(l, OP_stack_end, l->late_objects.at[i], 0, 0, 0);
    lower_emit(l, OP_jmp, 0, 0, 0, next);
    code_place(l->c, next);
  }
}

static void call_section(struct lowering *l, const char *function) {
  lower_emit(l, OP_call, 0, 0, call_slots(0, 0),
             front_function(l->f, module_find(l->f, function)));
}

static void lower_ret(struct lowering *l, LLVMValueRef inst) {
  uint32_t n = 0;
  vreg value = 0;
  if (LLVMGetNumOperands(inst)) {
    LLVMValueRef operand = LLVMGetOperand(inst, 0);
    n = type_slots(LLVMTypeOf(operand));
    value = lower_value(l, operand);
  }
  lower_stack_ends(l);
  if (l->is_section)
    call_section(l, SECTION_END);
  lower_emit(l, OP_ret, value, n, 0, 0);
}

// -- instructions

// Is this behind a library function that never returns, such as the
// __assert_fail of the host's headers?
static bool is_behind_library_call(struct lowering *l, LLVMValueRef inst) {
  LLVMValueRef before = LLVMGetPreviousInstruction(inst);
  while (before && versions_is_debug_call(before))
    before = LLVMGetPreviousInstruction(before);
  LLVMValueRef callee =
      before && LLVMIsACallInst(before) ? LLVMGetCalledValue(before) : NULL;
  return callee && LLVMIsAFunction(callee) && !LLVMGetIntrinsicID(callee) &&
         !module_user_defines(l->f, callee);
}

// A library function returns although it must not when what it reports is
// switched off. The program ends there, so its thread goes no further.
static void lower_unreachable(struct lowering *l, LLVMValueRef inst) {
  if (is_behind_library_call(l, inst))
    lower_emit(l, OP_sys, code_reg(l->c), lower_number(l, 0), call_slots(1, 0),
               BI_assume);
  lower_emit(l, OP_trap, 0, 0, 0, FIND_UNREACHABLE);
}

static void lower_instruction(struct lowering *l, LLVMValueRef inst) {
  if (ptrmap_find(&l->skipped, inst) || lower_pure(l, inst))
    return;
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMPHI:
    lower_result(l, inst); // written on the edges
    break;
  case LLVMAlloca:
    lower_alloca(l, inst);
    break;
  case LLVMLoad:
    lower_load(l, inst);
    break;
  case LLVMStore:
    lower_store(l, inst);
    break;
  case LLVMAtomicCmpXchg:
    lower_cmpxchg(l, inst);
    break;
  case LLVMAtomicRMW:
    lower_atomicrmw(l, inst);
    break;
  case LLVMFence:
    lower_fence(l, inst);
    break;
  case LLVMCall:
    lower_call(l, inst);
    lower_passing(l, inst);
    break;
  case LLVMCallBr: // asm goto
    lower_asm(l, inst);
    break;
  case LLVMInvoke:
    lower_invoke(l, inst);
    break;
  case LLVMLandingPad:
    lower_landing_pad(l, inst);
    break;
  case LLVMResume:
    lower_resume(l, inst);
    break;
  case LLVMBr:
    lower_br(l, inst);
    break;
  case LLVMSwitch:
    lower_switch(l, inst);
    break;
  case LLVMIndirectBr:
    lower_indirectbr(l, inst);
    break;
  case LLVMRet:
    lower_ret(l, inst);
    break;
  case LLVMUnreachable:
    lower_unreachable(l, inst);
    break;
  default: {
    char *text = LLVMPrintValueToString(inst);
    lower_refuse(l, "this construct is not supported (in LLVM's words:%s)",
                 text);
    LLVMDisposeMessage(text);
  }
  }
}

// -- the function

static void place_allocas(struct lowering *l) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->fn->llvm); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
      if (!LLVMIsAAllocaInst(i))
        continue;
      ptrmap_set(&l->places, i,
                 escape_promotable(i)    ? PLACE_REGISTERS
                 : escape_local(l->f, i) ? PLACE_SHARED
                                         : PLACE_PRIVATE);
      lower_late_object(l, i);
    }
}

// A struct passed by value in memory: the callee makes its copy.
static vreg own_copy(struct lowering *l, LLVMValueRef param, vreg given,
                     LLVMTypeRef type) {
  uint64_t size = type_size(l->f, type);
  bool shared = escape_local(l->f, param);
  vreg copy =
      lower_op(l, shared ? OP_stack_new : OP_local, lower_number(l, size), 0,
               LLVMABIAlignmentOfType(l->f->layout, type));
  if (shared)
    array_push(&l->stack_objects, copy);
  lower_copy(
      l, &(struct copy){.to = copy, .from = given, .type = type, .size = size});
  return copy;
}

static void bind_params(struct lowering *l) {
  vreg slot = 0;
  unsigned i = 0;
  for (LLVMValueRef p = LLVMGetFirstParam(l->fn->llvm); p;
       p = LLVMGetNextParam(p), i++) {
    LLVMTypeRef t = LLVMTypeOf(p), byval = function_byval(l->f, l->fn->llvm, i);
    if (!check_type(l, t))
      return;
    vreg given = slot;
    slot += type_slots(t);
    ptrmap_set(&l->values, p, byval ? own_copy(l, p, given, byval) : given);
  }
}

static void call_constructors(struct lowering *l) {
  for (uint32_t i = 0; i < l->f->constructors.len; i++) {
    uint32_t function = l->f->constructors.at[i].function;
    uint32_t results = l->f->prog->funcs.at[function].results;
    lower_emit(l, OP_call, results ? code_regs(l->c, results) : 0, 0,
               call_slots(0, results), function);
  }
}

static void lower_run_destructors(struct lowering *l) {
  for (uint32_t i = l->f->destructors.len; i-- > 0;)
    lower_emit(l, OP_call, 0, 0, call_slots(0, 0),
               l->f->destructors.at[i].function);
  lower_emit(l, OP_ret, 0, 0, 0, 0);
}

// CBMC takes what stands behind such a label for a new thread. To run it here
// and now, as C does, would be an answer about another program.
static void refuse_thread_label(struct lowering *l, LLVMBasicBlockRef b) {
  const char *name = LLVMGetBasicBlockName(b);
  if (strncmp(name, "__CPROVER_ASYNC", strlen("__CPROVER_ASYNC")) != 0)
    return;
  l->inst = LLVMGetFirstInstruction(b);
  l->at = names_source(l->f, l->inst);
  lower_unsupported(l,
                    "the label `%s` means a thread to CBMC: start it with "
                    "pthread_create instead",
                    name);
}

static void lower_body(struct lowering *l) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->fn->llvm); b;
       b = LLVMGetNextBasicBlock(b)) {
    code_place(l->c, lower_label(l, b));
    refuse_thread_label(l, b);
    guards_begin(l, b);
    if (ptrmap_find(&l->rmw_loops, b))
      lower_rmw_begin(l, b);
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !l->f->failed;
         i = LLVMGetNextInstruction(i)) {
      l->inst = i;
      l->at = names_source(l->f, i);
      lower_fence_place(l, i);
      if (LLVMIsATerminatorInst(i))
        guards_end(l, b);
      lower_instruction(l, i);
    }
  }
}

// A builtin whose address is taken becomes a function that calls it.
static void lower_builtin_function(struct lowering *l) {
  vreg result = code_reg(l->c);
  uint32_t results = l->c->results;
  lower_emit(l, OP_sys, result, 0, call_slots(l->c->params, results),
             (uint64_t)l->fn->builtin);
  lower_emit(l, OP_ret, result, results, 0, 0);
}

// A function that clang left as the source has it says so, unless we asked for
// that ourselves.
static bool is_optimised(const struct function *fn) {
  unsigned kind = LLVMGetEnumAttributeKindForName("optnone", 7);
  return module_is_optimised(fn->module->file) &&
         !LLVMGetEnumAttributeAtIndex(
             fn->llvm, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

// The address of a frame is that of an object that lives as long.
static void make_frame(struct lowering *l) {
  LLVMValueRef asks = LLVMGetNamedFunction(l->fn->module->llvm, FRAME_ADDRESS);
  for (LLVMUseRef u = asks ? LLVMGetFirstUse(asks) : NULL; u;
       u = LLVMGetNextUse(u)) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(LLVMGetUser(u));
    if (LLVMGetBasicBlockParent(block) != l->fn->llvm)
      continue;
    l->frame = lower_op(l, OP_local, lower_number(l, 16), 0, 16);
    return;
  }
}

void lower_function(struct front *f, uint32_t index) {
  struct lowering l = {.f = f, .fn = &f->functions.at[index]};
  l.c = &l.fn->code;
  if (!l.fn->llvm) {
    if (l.fn->builtin >= 0)
      lower_builtin_function(&l);
    else if (strcmp(prog_text(f->prog, l.c->name), RUN_DESTRUCTORS) == 0)
      lower_run_destructors(&l);
    else
      lower_unknown_function(&l);
    return;
  }
  module_enter(f, l.fn->llvm);
  l.no_result = is_optimised(l.fn) ? IMM_POISON : IMM_CHECKED;
  f->prog->has_poison |= l.no_result == IMM_POISON;
  names_enter(f, l.fn->llvm);
  l.inst = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(l.fn->llvm));
  l.at = names_source(f, l.inst);
  if (f->has_cxx && l.at.header != IN_HEADER)
    names_this(f, l.fn->llvm);
  place_allocas(&l);
  lower_find_patterns(&l);
  observe_find(&l);
  guards_find(&l);
  bind_params(&l);
  make_frame(&l);
  if (index == f->prog->main_func)
    call_constructors(&l);
  l.is_section = function_is_section(l.fn);
  if (l.is_section)
    call_section(&l, SECTION_BEGIN);
  if (!f->failed)
    lower_body(&l);
  lower_passed(&l);
  ptrmap_done(&l.values);
  ptrmap_done(&l.places);
  ptrmap_done(&l.skipped);
  ptrmap_done(&l.rmw_loops);
  ptrmap_done(&l.tables);
  ptrmap_done(&l.observers);
  ptrmap_done(&l.saves);
  ptrmap_done(&l.restores);
  ptrmap_done(&l.enters);
  ptrmap_done(&l.leaves);
  array_done(&l.regions);
  array_done(&l.stack_objects);
  array_done(&l.late_objects);
  array_done(&l.lines);
}
