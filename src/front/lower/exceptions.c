// SPDX-License-Identifier: MIT
// Exceptions. A call that one may come out of is followed by a `landing`, which
// yields the exception, or 0 when the call returned, and a branch on that. So
// all that looks at code sees how control goes, and a thread that unwinds only
// leaves frames until it comes to a landing. The branch is none of the program:
// it orders nothing.
//
// What a landing pad catches is a table in constant memory (its form is in
// rt/exception.c): rt/ looks for a handler there before anything is unwound,
// and asks again where it lands which clause it is.
#include "front/lower/lower.h"

#include "base/finding.h"

#include <string.h>

enum { // words of a table, as rt/exception.c has them
  TABLE_CLEANUP = 1,
  TABLE_TERMINATES = 2,
  ALL_TYPES = 0x7fffffff, // the selector of `catch (...)`
};

typedef ARRAY(uint64_t) word_list;

// -- tables

// Every type has a number: that of its type information among the globals.
static uint32_t type_number(struct lowering *l, LLVMValueRef info) {
  const uint32_t *global = ptrmap_find(&l->f->global_of, info);
  return LLVMIsNull(info) || !global ? ALL_TYPES : *global + 1;
}

static void add_type(struct lowering *l, LLVMValueRef info, word_list *out) {
  uint64_t address = 0;
  if (!LLVMIsNull(info) && !constant_slots(l->f, info, &address))
    lower_refuse(l, "a clause of a handler is no type");
  array_push(out, address);
}

// A catch: its selector, 1, the type. A filter: its selector, which is
// negative, how many types it lets through, these.
static void add_clause(struct lowering *l, LLVMValueRef clause, unsigned i,
                       word_list *out) {
  LLVMTypeRef t = LLVMTypeOf(clause);
  if (LLVMGetTypeKind(t) != LLVMArrayTypeKind) {
    array_push(out, type_number(l, clause));
    array_push(out, 1);
    add_type(l, clause, out);
    return;
  }
  uint64_t n = LLVMGetArrayLength2(t);
  array_push(out, (uint64_t) - (int64_t)(i + 1));
  array_push(out, n);
  for (unsigned k = 0; k < n; k++)
    add_type(l, LLVMGetAggregateElement(clause, k), out);
}

// Is the pad that of a function which lets no exception out?
static bool terminates(LLVMValueRef pad) {
  size_t len;
  for (LLVMValueRef i = LLVMGetNextInstruction(pad); i;
       i = LLVMGetNextInstruction(i)) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (callee && LLVMIsAFunction(callee))
      return strcmp(LLVMGetValueName2(callee, &len),
                    "__clang_call_terminate") == 0;
  }
  return false;
}

// The address of the table of a pad; 0: it catches nothing.
static uint64_t table_of(struct lowering *l, LLVMValueRef pad) {
  const uint32_t *known = ptrmap_find(&l->tables, pad);
  unsigned n = LLVMGetNumClauses(pad);
  if (known)
    return prog_global_address(l->f->prog, *known);
  if (n == 0)
    return 0;
  word_list words = {0};
  array_push(&words, n);
  array_push(&words, (LLVMIsCleanup(pad) ? TABLE_CLEANUP : 0u) |
                         (terminates(pad) ? TABLE_TERMINATES : 0u));
  for (unsigned i = 0; i < n; i++)
    add_clause(l, LLVMGetClause(pad, i), i, &words);
  size_t size = words.len * sizeof *words.at;
  uint32_t global = prog_add_global(l->f->prog, "handlers", size, 8);
  struct global *g = &l->f->prog->globals.at[global];
  memcpy(g->bytes, words.at, size);
  g->is_constant = g->is_anonymous = true;
  array_done(&words);
  ptrmap_set(&l->tables, pad, global);
  return prog_global_address(l->f->prog, global);
}

static LLVMValueRef pad_of(LLVMBasicBlockRef b) {
  LLVMValueRef i = LLVMGetFirstInstruction(b);
  while (i && !LLVMIsALandingPadInst(i))
    i = LLVMGetNextInstruction(i);
  return i;
}

// -- calls

static bool is_call(const struct code *c) {
  unsigned op = c->insns.len ? array_last(&c->insns)->op : OP_LABEL;
  return op == OP_call || op == OP_callr;
}

static void land(struct lowering *l, vreg exception, uint64_t table,
                 label_id pad, label_id next) {
  lower_emit(l, OP_landing, exception, 0, 0, table);
  lower_emit(l, OP_br, exception, /*orders nothing*/ 1, 0,
             imm_targets(pad, next));
}

void lower_invoke(struct lowering *l, LLVMValueRef inst) {
  LLVMBasicBlockRef here = LLVMGetInstructionParent(inst);
  LLVMBasicBlockRef unwind = LLVMGetUnwindDest(inst);
  LLVMValueRef pad = pad_of(unwind);
  uint32_t before = l->c->insns.len;
  edge_list pending = {0};
  if (!pad || type_slots(LLVMTypeOf(pad)) != 2) {
    lower_refuse(l, "exceptions of another language are not supported");
    return;
  }
  lower_call(l, inst);
  if (l->f->failed)
    return;
  label_id next = lower_edge(l, here, LLVMGetNormalDest(inst), &pending);
  if (l->c->insns.len == before || !is_call(l->c)) { // nothing that throws
    lower_emit(l, OP_jmp, 0, 0, 0, next);
  } else {
    label_id out = lower_edge(l, here, unwind, &pending);
    land(l, lower_result(l, pad), table_of(l, pad), out, next);
  }
  lower_edges(l, &pending);
}

void lower_passing(struct lowering *l, LLVMValueRef call) {
  static const LLVMAttributeIndex whole =
      (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  unsigned kind = l->f->nounwind_kind;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  bool has_objects = l->stack_objects.len || l->late_objects.len;
  if (!l->f->has_exceptions || !has_objects || !is_call(l->c) ||
      LLVMGetEnumAttributeAtIndex(l->fn->llvm, whole, kind) ||
      LLVMGetCallSiteEnumAttribute(call, whole, kind) ||
      (LLVMIsAFunction(callee) &&
       LLVMGetEnumAttributeAtIndex(callee, whole, kind)))
    return;
  if (!l->passing) {
    l->passing = code_reg(l->c);
    l->passes = code_label(l->c);
  }
  label_id next = code_label(l->c);
  land(l, l->passing, 0, l->passes, next);
  code_place(l->c, next);
}

static void unwind(struct lowering *l, vreg exception) {
  lower_stack_ends(l);
  lower_emit(l, OP_sys, 0, exception, call_slots(1, 0), BI_unwind);
  if (question_forces(l->f)) {
    LLVMValueRef unwound = module_find(l->f, HAS_UNWOUND);
    check(unwound);
    lower_emit(l, OP_call, 0, 0, call_slots(0, 0),
               front_function(l->f, unwound));
  }
  lower_emit(l, OP_trap, 0, 0, 0, FIND_UNREACHABLE);
}

void lower_passed(struct lowering *l) {
  if (!l->passing)
    return;
  code_place(l->c, l->passes);
  unwind(l, l->passing);
}

// -- pads

// The first word is there: the landing has put it. The second says which
// clause.
void lower_landing_pad(struct lowering *l, LLVMValueRef inst) {
  vreg result = lower_result(l, inst), exception = result;
  uint64_t table = table_of(l, inst);
  if (!table) {
    lower_move(l, result + 1, lower_number(l, 0), 1);
    return;
  }
  LLVMValueRef select = module_find(l->f, SELECT_HANDLER);
  check(select);
  vreg args = code_regs(l->c, 2);
  lower_move(l, args, exception, 1);
  lower_move(l, args + 1, lower_number(l, table), 1);
  lower_emit(l, OP_call, result + 1, args, call_slots(2, 1),
             front_function(l->f, select));
  if (LLVMIsCleanup(inst))
    return;
  label_id caught = code_label(l->c), passes = code_label(l->c);
  lower_emit(l, OP_br, result + 1, /*orders nothing*/ 1, 0,
             imm_targets(caught, passes));
  code_place(l->c, passes);
  unwind(l, exception);
  code_place(l->c, caught);
}

void lower_resume(struct lowering *l, LLVMValueRef inst) {
  unwind(l, lower_value(l, LLVMGetOperand(inst, 0)));
}

void lower_typeid(struct lowering *l, LLVMValueRef call) {
  lower_move(l, lower_result(l, call),
             lower_number(l, type_number(l, LLVMGetOperand(call, 0))), 1);
}
