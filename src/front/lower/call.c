// SPDX-License-Identifier: MIT
// Calls: of functions, of builtins, through pointers, and the two functions of
// pthread.h that are instructions. Arguments are laid out in consecutive
// registers.
#include "front/lower/lower.h"

#include <string.h>

static void push_arguments(struct lowering *l, vreg_list *a,
                           LLVMValueRef call) {
  unsigned n = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < n && !l->f->failed; i++) {
    vreg r = variadic_argument(l, call, i);
    for (uint32_t k = 0; k < type_slots(LLVMTypeOf(LLVMGetOperand(call, i)));
         k++)
      array_push(a, r + k);
  }
}

// The arguments as a run of registers.
static vreg arguments_run(struct lowering *l, const vreg_list *a) {
  if (a->len > MAX_CALL_SLOTS)
    lower_refuse(l, "a call with more than %d argument words is not supported",
                 MAX_CALL_SLOTS);
  if (a->len == 0)
    return 0;
  if (a->len == 1)
    return a->at[0];
  vreg run = code_regs(l->c, a->len);
  for (uint32_t i = 0; i < a->len; i++)
    lower_move(l, run + i, a->at[i], 1);
  return run;
}

static vreg call_result(struct lowering *l, LLVMValueRef call) {
  return type_slots(LLVMTypeOf(call)) ? lower_result(l, call) : 0;
}

// -- functions

// A call that does not fit its function goes through a pointer, so that the
// interpreter reports it if it is ever made.
void lower_call_function(struct lowering *l, LLVMValueRef call,
                         uint32_t function) {
  vreg_list a = {0};
  const struct func *target = &l->f->prog->funcs.at[function];
  if (target->is_vararg && target->params)
    lower_variadic(l, call, target->params,
                   variadic_is_arm(&l->f->functions.at[function]), &a);
  else
    push_arguments(l, &a, call);
  uint32_t results = type_slots(LLVMTypeOf(call)), given = a.len;
  vreg to = call_result(l, call), args = arguments_run(l, &a);
  bool fits =
      target->is_vararg ? given >= target->params : given == target->params;
  if (fits && results == target->results)
    lower_emit(l, OP_call, to, args, call_slots(given, results), function);
  else
    lower_emit(l, OP_callr, to, args, call_slots(given, results),
               lower_number(l, prog_func_address(l->f->prog, function)));
  array_done(&a);
}

// The words of the fixed arguments if the callee has variable ones, else 0.
static uint32_t fixed_slots(LLVMValueRef call) {
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  uint32_t n = 0;
  if (LLVMIsFunctionVarArg(type))
    for (unsigned i = 0; i < LLVMCountParamTypes(type); i++)
      n += type_slots(LLVMTypeOf(LLVMGetOperand(call, i)));
  return n;
}

static void call_pointer(struct lowering *l, LLVMValueRef call,
                         LLVMValueRef callee) {
  vreg_list a = {0};
  uint32_t params = fixed_slots(call);
  if (params) // `int f();` has no fixed ones, but is none with ...
    lower_variadic(l, call, params, /*in_memory=*/false, &a);
  else
    push_arguments(l, &a, call);
  uint32_t results = type_slots(LLVMTypeOf(call));
  vreg to = call_result(l, call), args = arguments_run(l, &a);
  vreg saved = guards_before(l); // the ways meet where it returns
  lower_emit(l, OP_callr, to, args, call_slots(a.len, results),
             lower_value(l, callee));
  guards_after(l, saved);
  array_done(&a);
}

// -- builtins

static unsigned builtin_args(int b) {
  static const uint8_t count[] = {
#define BUILTIN(name, args, results, meaning) args,
#include "bytecode/builtin.def"
#undef BUILTIN
  };
  return count[b];
}

static unsigned builtin_results(int b) {
  static const uint8_t count[] = {
#define BUILTIN(name, args, results, meaning) results,
#include "bytecode/builtin.def"
#undef BUILTIN
  };
  return count[b];
}

static void call_builtin(struct lowering *l, LLVMValueRef call, int builtin) {
  vreg_list a = {0};
  push_arguments(l, &a, call);
  unsigned results = builtin_results(builtin);
  if (a.len != builtin_args(builtin)) {
    lower_refuse(l, "this function takes %u arguments, not %u",
                 builtin_args(builtin), a.len);
  } else {
    vreg args = arguments_run(l, &a),
         result = code_regs(l->c, results > 1 ? results : 1);
    lower_emit(l, OP_sys, result, args, call_slots(a.len, results),
               (uint64_t)builtin);
    uint32_t wanted = type_slots(LLVMTypeOf(call));
    unsigned width = type_width(LLVMTypeOf(call));
    if (wanted == 1 && results == 1 && width < 64)
      lower_emit(l, OP_trunc, lower_result(l, call), result, 0, width);
    else if (wanted == 1)
      lower_move(l, lower_result(l, call),
                 results ? result : lower_number(l, 0), 1);
    else if (wanted == 2 && results == 2)
      lower_move(l, lower_result(l, call), result, 2);
  }
  array_done(&a);
}

// pthread_create(t, NULL, f, x): the id is written by a normal store. Ids of
// threads are as in rt/pthread.c.
static void call_spawn(struct lowering *l, LLVMValueRef call) {
  vreg args = code_regs(l->c, 2), id = code_reg(l->c);
  lower_move(l, args, lower_value(l, LLVMGetOperand(call, 2)), 1);
  lower_move(l, args + 1, lower_value(l, LLVMGetOperand(call, 3)), 1);
  lower_emit(l, OP_sys, id, args, call_slots(2, 1), BI_spawn);
  lower_write(l, lower_op(l, OP_add, id, lower_number(l, 1), 64),
              LLVMInt64TypeInContext(l->f->context), LLVMGetOperand(call, 0),
              (struct imm_access){0});
  lower_move(l, lower_result(l, call), lower_number(l, 0), 1);
}

static void call_join(struct lowering *l, LLVMValueRef call) {
  vreg ignored = code_reg(l->c);
  vreg number = lower_op(l, OP_sub, lower_value(l, LLVMGetOperand(call, 0)),
                         lower_number(l, 1), 64);
  lower_emit(l, OP_sys, ignored, number, call_slots(1, 1), BI_join);
  lower_move(l, lower_result(l, call), lower_number(l, 0), 1);
}

// -- setjmp and longjmp: a mark of the place is kept in the buffer

static void call_setjmp(struct lowering *l, LLVMValueRef call) {
  label_id first = code_label(l->c), again = code_label(l->c),
           end = code_label(l->c);
  vreg mark = code_reg(l->c), result = lower_result(l, call);
  lower_emit(l, OP_sys, mark, 0, call_slots(0, 1), BI_setjmp);
  code_place(l->c, code_label(l->c)); // longjmp leads to here
  vreg is_first = lower_op(l, OP_slt, mark, lower_number(l, 0), 64);
  lower_emit(l, OP_br, is_first, 0, 0, imm_targets(first, again));
  code_place(l->c, first);
  lower_write(l, mark, LLVMInt64TypeInContext(l->f->context),
              LLVMGetOperand(call, 0), (struct imm_access){0});
  lower_move(l, result, lower_number(l, 0), 1);
  lower_emit(l, OP_jmp, 0, 0, 0, end);
  code_place(l->c, again);
  lower_emit(l, OP_trunc, result, mark, 0, 32);
  code_place(l->c, end);
}

static void call_longjmp(struct lowering *l, LLVMValueRef call) {
  vreg args = code_regs(l->c, 2);
  lower_read(l, args, LLVMInt64TypeInContext(l->f->context),
             LLVMGetOperand(call, 0), (struct imm_access){0});
  bool is_builtin = LLVMGetNumArgOperands(call) == 1; // __builtin_longjmp(b, 1)
  lower_move(l, args + 1,
             is_builtin ? lower_number(l, 1)
                        : lower_value(l, LLVMGetOperand(call, 1)),
             1);
  lower_emit(l, OP_sys, 0, args, call_slots(2, 0), BI_longjmp);
}

// -- all calls

static void call_named(struct lowering *l, LLVMValueRef call,
                       LLVMValueRef callee, const char *name) {
  switch (call_special(l->f, call)) {
  case CALL_SPAWN:
    call_spawn(l, call);
    return;
  case CALL_JOIN:
    call_join(l, call);
    return;
  case CALL_SELF:
    lower_move(l, lower_result(l, call), lower_self(l), 1);
    return;
  case CALL_ATOMIC:
    lower_atomic_call(l, call, name);
    return;
  case CALL_KERNEL:
    lower_kernel_call(l, call, name);
    return;
  case CALL_SETJMP:
    call_setjmp(l, call);
    return;
  case CALL_LONGJMP:
    call_longjmp(l, call);
    return;
  case CALL_PLAIN:
    break;
  }
  const uint32_t *function = ptrmap_find(&l->f->function_of, callee);
  if (ptrmap_find(&l->f->absent, callee))
    call_pointer(l, call, callee);
  else if (function && l->f->functions.at[*function].llvm)
    lower_call_function(l, call, *function);
  else if (builtin_of_name(name) >= 0)
    call_builtin(l, call, builtin_of_name(name));
  else if (strcmp(name, RUN_DESTRUCTORS) == 0)
    lower_call_function(l, call, *function);
  else
    lower_unknown_call(l, call, name);
}

// What the program calls a function that module.c has put in another's place.
static const char *name_in_source(const char *name) {
  return strcmp(name, CALL_RCU_NUMBERED) == 0 ? CALL_RCU : name;
}

void lower_call(struct lowering *l, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee)) {
    lower_asm(l, call);
    return;
  }
  const uint32_t *index = ptrmap_find(&l->f->function_of, callee);
  if (LLVMIsAGlobalAlias(callee) && index) { // maybe one of another module
    l->at.text = l->f->prog->funcs.at[*index].name;
    lower_call_function(l, call, *index);
    return;
  }
  while (LLVMIsAGlobalAlias(callee))
    callee = LLVMAliasGetAliasee(callee);
  if (!LLVMIsAFunction(callee)) {
    l->at.text = names_callee(l->f, callee);
    call_pointer(l, call, callee);
    return;
  }
  size_t len;
  const char *name = LLVMGetValueName2(callee, &len);
  if (LLVMGetIntrinsicID(callee) &&
      call_special(l->f, call) == CALL_PLAIN) { // others: __builtin_setjmp
    lower_intrinsic(l, call, name);
    return;
  }
  l->at.text = demangle_function(l->f, name_in_source(name));
  l->at.made = names_made_type(l->f, call, name);
  call_named(l, call, callee, name);
  l->at.made = 0;
}
