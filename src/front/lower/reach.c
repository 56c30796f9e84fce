// SPDX-License-Identifier: MIT
// What the program consists of: the functions and globals that main, the
// constructors and everything they name can reach. The rest is never lowered,
// so strange constructs in unused code do no harm.
#include "front/stage.h"
#include "front/versions.h"

#include <string.h>

// std::noop_coroutine() of libstdc++: its frame has functions without
// parameters, which are called with the frame, as all coroutines are.
static bool ignores_frame(const char *name) {
  static const char end[] = "__frame22__dummy_resume_destroyEv";
  size_t n = strlen(name);
  return n >= sizeof end - 1 && strcmp(name + n - (sizeof end - 1), end) == 0;
}

static uint32_t add_function(struct front *f, struct function fn,
                             const char *name, LLVMTypeRef type) {
  unsigned nparams = LLVMCountParamTypes(type);
  LLVMTypeRef params[MAX_PARAMS];
  uint32_t slots = 0;
  if (nparams <= MAX_PARAMS)
    LLVMGetParamTypes(type, params);
  for (unsigned i = 0; i < nparams && nparams <= MAX_PARAMS; i++)
    slots += type_slots(params[i]);
  if (!nparams && ignores_frame(name))
    slots = 1;
  uint32_t results = type_slots(LLVMGetReturnType(type));
  if (nparams > MAX_PARAMS || slots > MAX_CALL_SLOTS ||
      results > MAX_CALL_SLOTS)
    front_refuse(f, NULL, "function `%s` has too many parameters or results",
                 name);
  uint32_t index = prog_add_func(
      f->prog, prog_text(f->prog, demangle_function(f, name)), slots, results);
  struct func *out = &f->prog->funcs.at[index];
  out->is_vararg = LLVMIsFunctionVarArg(type);
  out->is_library = fn.module->is_library || !fn.llvm;
  code_init(&fn.code, out->name, slots, results);
  fn.code.is_vararg = out->is_vararg;
  fn.code.is_library = out->is_library;
  fn.param_fate = xcalloc(nparams + 1u, 1);
  array_push(&f->functions, fn);
  check(f->functions.len == index + 1);
  return index;
}

uint32_t front_function(struct front *f, LLVMValueRef function) {
  const uint32_t *known = ptrmap_find(&f->function_of, function);
  if (known)
    return *known;
  struct function fn = {.llvm = function, .module = module_of(f, function)};
  size_t len;
  const char *name = LLVMGetValueName2(function, &len);
  if (LLVMIsDeclaration(function)) {
    fn.llvm = NULL;
    fn.builtin = builtin_of_name(name);
  }
  uint32_t index = add_function(f, fn, name, LLVMGlobalGetValueType(function));
  ptrmap_set(&f->function_of, function, index);
  return index;
}

static bool is_string_like(LLVMValueRef g) {
  return LLVMGetLinkage(g) == LLVMPrivateLinkage;
}

uint32_t front_global(struct front *f, LLVMValueRef global) {
  const uint32_t *known = ptrmap_find(&f->global_of, global);
  if (known)
    return *known;
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  const char *name;
  module_enter(f, global);
  type_id di_type = names_global_type(f, global, &name);
  unsigned align = LLVMGetAlignment(global);
  if (!align)
    align = LLVMABIAlignmentOfType(f->layout, type);
  uint32_t index = prog_add_global(f->prog, name, type_size(f, type), align);
  struct global *g = &f->prog->globals.at[index];
  g->type = di_type;
  g->is_constant = LLVMIsGlobalConstant(global);
  g->is_thread_local = LLVMIsThreadLocal(global);
  g->is_anonymous = is_string_like(global);
  g->is_library = module_of(f, global)->is_library;
  array_push(&f->globals, global);
  check(f->globals.len == index + 1);
  ptrmap_set(&f->global_of, global, index);
  return index;
}

static void reach_constant(struct front *f, LLVMValueRef v, LLVMValueRef inst);

// What the compiler makes of a class of the standard library: its virtual
// table, its type.
static bool is_of_std_class(const char *name) {
  static const char *const kinds[] = {"_ZTVS",  "_ZTIS",  "_ZTTS",
                                      "_ZTVNS", "_ZTINS", "_ZTTNS"};
  for (size_t i = 0; i < LENGTH(kinds); i++)
    if (strncmp(name, kinds[i], strlen(kinds[i])) == 0)
      return true;
  return false;
}

static void reach_global_value(struct front *f, LLVMValueRef v,
                               LLVMValueRef inst) {
  // What the library declares weak is for programs whose threads end like that.
  bool is_left_out = module_of(f, v)->is_library &&
                     LLVMGetLinkage(v) == LLVMExternalWeakLinkage &&
                     !question_forces(f);
  LLVMValueRef definition = is_left_out ? NULL : module_resolve(f, v);
  size_t len;
  const char *name = LLVMGetValueName2(v, &len);
  if (f->failed)
    return;
  if (definition && LLVMIsAFunction(definition)) {
    ptrmap_set(&f->function_of, v, front_function(f, definition));
  } else if (definition && LLVMIsAGlobalVariable(definition)) {
    ptrmap_set(&f->global_of, v, front_global(f, definition));
    if (section_offset(f, definition))
      ptrmap_set(&f->offset_of, v, (uint32_t)section_offset(f, definition));
  } else if (definition) { // what an alias stands for may be an expression
    reach_constant(f, definition, inst);
  } else if (question_is(v)) {
    front_global(f, v);
  } else if (LLVMGetLinkage(v) == LLVMExternalWeakLinkage) {
    ptrmap_set(&f->absent, v, 1);  // its address is null
  } else if (LLVMIsAFunction(v)) { // a builtin, or unknown
    front_function(f, v);
  } else {
    front_refuse(f, inst, "the variable `%s` is declared but never defined",
                 prog_text(f->prog, demangle(f, name)));
    diag_hint(
        f->why, "%s",
        runtime_lacks_libcxx(f, name) ? WITHOUT_LIBCXX
        : is_of_std_class(name)
            ? "some class of the program, or of a header that it uses, is "
              "derived from this one, which Heddle's library does not have"
            : "give the source file that defines it too");
  }
}

static void reach_constant(struct front *f, LLVMValueRef v, LLVMValueRef inst) {
  if (f->failed)
    return;
  if (LLVMIsAGlobalValue(v)) {
    if (!ptrmap_find(&f->function_of, v) && !ptrmap_find(&f->global_of, v) &&
        !ptrmap_find(&f->absent, v))
      reach_global_value(f, v, inst);
    return;
  }
  if (LLVMIsABlockAddress(v)) {
    reach_constant(f, LLVMGetBlockAddressFunction(v), inst);
    return;
  }
  for (int i = 0; i < LLVMGetNumOperands(v); i++)
    reach_constant(f, LLVMGetOperand(v, (unsigned)i), inst);
}

// Callees that are lowered to instructions need no function.
static bool is_callee_known(struct front *f, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee))
    return LLVMIsAInlineAsm(callee);
  size_t len;
  return LLVMGetIntrinsicID(callee) || call_special(f, call) != CALL_PLAIN ||
         (builtin_of_name(LLVMGetValueName2(callee, &len)) >= 0 &&
          !module_resolve(f, callee));
}

static void reach_by_name(struct front *f, const char *name) {
  LLVMValueRef function = module_find(f, name);
  if (function)
    front_function(f, function);
}

static void reach_instruction(struct front *f, LLVMValueRef inst) {
  bool is_call = LLVMIsACallInst(inst) || LLVMIsAInvokeInst(inst);
  int n = LLVMGetNumOperands(inst);
  if (is_call && is_callee_known(f, inst))
    n--; // the callee is the last operand
  if (is_call && versions_is_debug_call(inst))
    return;
  LLVMValueRef library = is_call ? intrinsic_function(f, inst) : NULL;
  if (library)
    front_function(f, library);
  if (LLVMIsALandingPadInst(inst) && LLVMGetNumClauses(inst))
    reach_by_name(f, SELECT_HANDLER);
  if (wide_function(inst))
    reach_by_name(f, wide_function(inst));
  for (int i = 0; i < n; i++) {
    LLVMValueRef v = LLVMGetOperand(inst, (unsigned)i);
    if (LLVMIsAConstant(v))
      reach_constant(f, v, inst);
  }
}

static void reach_body(struct front *f, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !f->failed;
         i = LLVMGetNextInstruction(i))
      reach_instruction(f, i);
}

// Sorts a new one in, the smallest priority first.
static void add_constructor(constructor_list *list, uint32_t function,
                            uint64_t priority) {
  array_push(list, (struct constructor){function, priority});
  for (uint32_t i = list->len - 1; i > 0; i--) {
    struct constructor *at = &list->at[i];
    if (at[-1].priority <= at[0].priority)
      break;
    struct constructor swap = at[-1];
    at[-1] = at[0];
    at[0] = swap;
  }
}

static void reach_constructors(struct front *f, const char *name,
                               constructor_list *out) {
  for (uint32_t m = 0; m < f->nmodules; m++) {
    LLVMValueRef list = LLVMGetNamedGlobal(f->modules[m].llvm, name);
    LLVMValueRef rows = list ? LLVMGetInitializer(list) : NULL;
    uint64_t n =
        rows && !LLVMIsNull(rows) ? LLVMGetArrayLength2(LLVMTypeOf(rows)) : 0;
    for (unsigned i = 0; i < n; i++) {
      LLVMValueRef row = LLVMGetAggregateElement(rows, i);
      LLVMValueRef priority = LLVMGetAggregateElement(row, 0);
      LLVMValueRef function = LLVMGetAggregateElement(row, 1);
      reach_constant(f, function, NULL);
      const uint32_t *index = ptrmap_find(&f->function_of, function);
      if (index && f->prog->funcs.at[*index].params)
        front_refuse(f, NULL,
                     "parameters of a constructor (`%s`) are not supported",
                     prog_text(f->prog, f->prog->funcs.at[*index].name));
      else if (index && LLVMIsAConstantInt(priority))
        add_constructor(out, *index, LLVMConstIntGetZExtValue(priority));
      else if (!LLVMIsNull(function)) // LLVM skips those, too
        front_refuse(f, NULL, "a constructor of %s is no function",
                     f->modules[m].file);
    }
  }
}

// What has to be done when the first function of a thread returns is in rt/.
static void reach_on_return(struct front *f) {
  if (!f->destructors.len && !question_mentions(f, "atexit") &&
      !question_mentions(f, "on_exit") &&
      !question_mentions(f, "__cxa_atexit") &&
      !question_mentions(f, "__cxa_thread_atexit") &&
      !question_mentions(f, "pthread_key_create") &&
      !question_mentions(f, "pthread_setspecific") && // of libc++
      !question_mentions(f, "tss_create"))
    return;
  LLVMValueRef function = module_find(f, "__heddle_on_return");
  if (function)
    f->prog->on_return = front_function(f, function);
}

void front_reach(struct front *f) {
  sections_find(f);
  reach_constructors(f, "llvm.global_ctors", &f->constructors);
  reach_constructors(f, "llvm.global_dtors", &f->destructors);
  reach_on_return(f);
  if (question_forces(f))
    reach_by_name(f, HAS_UNWOUND);
  for (uint32_t i = 0; i < f->members.len; i++)
    reach_constant(f, LLVMGetInitializer(f->members.at[i].global), NULL);
  uint32_t function = 0, global = 0;
  while (!f->failed &&
         (function < f->functions.len || global < f->globals.len)) {
    if (global < f->globals.len) {
      LLVMValueRef g = f->globals.at[global++];
      LLVMValueRef init = g ? LLVMGetInitializer(g) : NULL;
      if (init)
        reach_constant(f, init, NULL);
    } else {
      const struct function fn = f->functions.at[function++];
      if (fn.llvm && function_is_section(&fn)) {
        reach_by_name(f, SECTION_BEGIN);
        reach_by_name(f, SECTION_END);
      }
      if (fn.llvm)
        reach_body(f, fn.llvm);
    }
  }
}
