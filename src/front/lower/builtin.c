// SPDX-License-Identifier: MIT
// Functions that the interpreter provides. rt/ reaches each of them as
// __heddle_<name>; the names below are the ones that mean exactly the same as
// a builtin, so that small programs do not need rt/ at all.
#include "front/stage.h"

#include "base/clocks.h"

#include <string.h>

static const struct {
  const char *name;
  enum builtin builtin;
} aliases[] = {
    {"malloc", BI_malloc},
    {"free", BI_free},
    {"abort", BI_abort},
    {"__assert_fail", BI_assert_fail},
    {"__VERIFIER_assume", BI_assume},
    {"heddle_assume", BI_assume},
};

int builtin_of_name(const char *name) {
  static const char prefix[] = "__heddle_";
  if (strncmp(name, prefix, sizeof prefix - 1) == 0)
    for (int b = 0; b < BI_COUNT; b++)
      if (strcmp(name + sizeof prefix - 1, builtin_name((enum builtin)b)) == 0)
        return b;
  for (size_t i = 0; i < LENGTH(aliases); i++)
    if (strcmp(name, aliases[i].name) == 0)
      return (int)aliases[i].builtin;
  return -1;
}

bool function_is_section(const struct function *fn) {
  static const char prefix[] = "__VERIFIER_atomic_";
  size_t len;
  const char *name = LLVMGetValueName2(fn->llvm, &len);
  return !fn->module->is_library &&
         strncmp(name, prefix, sizeof prefix - 1) == 0 &&
         strcmp(name, SECTION_BEGIN) != 0 && strcmp(name, SECTION_END) != 0;
}

static bool is_null_argument(LLVMValueRef call, unsigned i) {
  return LLVMGetNumArgOperands(call) > i &&
         LLVMIsAConstantPointerNull(LLVMGetOperand(call, i));
}

// __atomic_load(24, ...) and the like: a function of rt/ that takes a lock.
static bool is_locked_access(LLVMValueRef call, const char *name) {
  static const char *const generic[] = {"__atomic_load", "__atomic_store",
                                        "__atomic_exchange",
                                        "__atomic_compare_exchange"};
  bool is_generic = false;
  for (size_t i = 0; i < LENGTH(generic); i++)
    is_generic |= strcmp(name, generic[i]) == 0;
  if (!is_generic || !LLVMIsAConstantInt(LLVMGetOperand(call, 0)))
    return false;
  uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
  return n > 16 || (n & (n - 1)) != 0;
}

static const char *const setjmps[] = {
    "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "llvm.eh.sjlj.setjmp",
    NULL};
static const char *const longjmps[] = {"longjmp",
                                       "_longjmp",
                                       "siglongjmp",
                                       "__longjmp_chk",
                                       "llvm.eh.sjlj.longjmp",
                                       NULL};

static bool is_one_of(const char *name, const char *const *names) {
  while (*names && strcmp(name, *names) != 0)
    names++;
  return *names;
}

// Does the program look at a clock? Then it is noted that main has company.
static bool looks_at_clocks(const struct front *f) {
#define OR_MENTIONS(name) || question_mentions(f, #name)
  return false CLOCKS(OR_MENTIONS) CLOCKS_OF_CXX(OR_MENTIONS);
#undef OR_MENTIONS
}

enum call_kind call_special(struct front *f, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
    return CALL_PLAIN;
  size_t len;
  const char *name = LLVMGetValueName2(callee, &len);
  enum call_kind kind = CALL_PLAIN;
  unsigned args = LLVMGetNumArgOperands(call);
  if (strncmp(name, "__atomic_", 9) == 0)
    kind = is_locked_access(call, name) ? CALL_PLAIN : CALL_ATOMIC;
  else if (strcmp(name, "pthread_create") == 0 && args == 4 &&
           is_null_argument(call, 1) && !looks_at_clocks(f))
    kind = CALL_SPAWN;
  else if (strcmp(name, "pthread_join") == 0 && args == 2 &&
           is_null_argument(call, 1) && !question_mentions(f, "pthread_cancel"))
    kind = CALL_JOIN;
  else if (strcmp(name, "pthread_self") == 0 && args == 0)
    kind = CALL_SELF;
  else if (is_one_of(name, setjmps))
    kind = CALL_SETJMP;
  else if (is_one_of(name, longjmps))
    kind = CALL_LONGJMP;
  else if (kernel_has(name))
    kind = CALL_KERNEL;
  return kind != CALL_PLAIN && module_user_defines(f, callee) ? CALL_PLAIN
                                                              : kind;
}

LLVMTypeRef function_byval(struct front *f, LLVMValueRef function, unsigned i) {
  LLVMAttributeRef a =
      LLVMGetEnumAttributeAtIndex(function, i + 1, f->byval_kind);
  return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

LLVMTypeRef call_byval(struct front *f, LLVMValueRef call, unsigned i) {
  LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, f->byval_kind);
  return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

unsigned call_alignment(struct front *f, LLVMValueRef call, unsigned i) {
  LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, f->align_kind);
  return a ? (unsigned)LLVMGetEnumAttributeValue(a) : 0;
}
