// SPDX-License-Identifier: MIT
// What a module of rustc needs: functions of its library whose meaning is known
// are rt/'s instead (rt/rust.c). They are found by their names, which are
// mangled in the legacy way: the library is compiled when rustc is, whatever a
// program asks for. And its locals get the types that they are used with.
#include "front/rust.h"

#include "front/stage.h"

#include <string.h>

// -- panics

// A panic is a finding: the function that all of them go through is rt/'s. The
// message has the form of rt/rust.c if it has its size; otherwise the library's
// own code prints it and aborts.
static void take_panic(LLVMModuleRef m, LLVMValueRef g, const char *name) {
  enum { SIZE_OF_MESSAGE = 48 };
  unsigned kind = LLVMGetEnumAttributeKindForName("dereferenceable", 15);
  bool may_unwind = strstr(name, "4core9panicking9panic_fmt") != NULL;
  if (!may_unwind && !strstr(name, "4core9panicking18panic_nounwind_fmt"))
    return;
  LLVMAttributeRef size = LLVMGetEnumAttributeAtIndex(g, 1, kind);
  if (!size || LLVMGetEnumAttributeValue(size) != SIZE_OF_MESSAGE ||
      LLVMCountParams(g) != (may_unwind ? 2 : 3))
    return;
  const char *by =
      may_unwind ? "heddle_rust_panic" : "heddle_rust_panic_nounwind";
  LLVMReplaceAllUsesWith(g, LLVMAddFunction(m, by, LLVMGlobalGetValueType(g)));
}

// -- locals

// The type that all accesses of the local have, if it fills the local, and if
// nothing else is done with it; NULL otherwise.
static LLVMTypeRef accessed_as(LLVMValueRef local, unsigned long long size) {
  LLVMTypeRef type = NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (scope_is_marker(user))
      continue;
    bool is_load = LLVMIsALoadInst(user);
    if (!is_load &&
        (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) == local))
      return NULL;
    LLVMTypeRef t = LLVMTypeOf(is_load ? user : LLVMGetOperand(user, 0));
    if (type && t != type)
      return NULL;
    type = t;
  }
  if (!type)
    return NULL;
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  unsigned long long bits =
      kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type)
      : kind == LLVMPointerTypeKind || kind == LLVMDoubleTypeKind ? 64
      : kind == LLVMFloatTypeKind                                 ? 32
                                                                  : 0;
  return bits == 8 * size ? type : NULL;
}

// rustc says of locals only how many bytes they are. One that has always a
// pointer or a number in it is declared as such, as clang does: then it is a
// register, and an address in it has not escaped.
static void type_local(LLVMBuilderRef b, LLVMValueRef local) {
  LLVMTypeRef bytes = LLVMGetAllocatedType(local);
  if (LLVMGetTypeKind(bytes) != LLVMArrayTypeKind)
    return;
  LLVMTypeRef type = accessed_as(local, LLVMGetArrayLength2(bytes));
  if (!type)
    return;
  LLVMPositionBuilderBefore(b, local);
  LLVMValueRef typed = LLVMBuildAlloca(b, type, "");
  LLVMSetAlignment(typed, LLVMGetAlignment(local));
  LLVMReplaceAllUsesWith(local, typed);
  LLVMInstructionEraseFromParent(local);
}

static void type_locals(LLVMModuleRef m) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
  for (LLVMValueRef g = LLVMGetFirstFunction(m); g;
       g = LLVMGetNextFunction(g)) {
    if (LLVMIsDeclaration(g))
      continue;
    LLVMValueRef next, i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(g));
    for (; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (LLVMIsAAllocaInst(i))
        type_local(b, i);
    }
  }
  LLVMDisposeBuilder(b);
}

bool rust_prepare(LLVMModuleRef m) {
  if (!LLVMGetNamedFunction(m, "rust_eh_personality") &&
      !LLVMGetNamedFunction(m, "rust_begin_unwind"))
    return false;
  size_t n;
  for (LLVMValueRef g = LLVMGetFirstFunction(m); g;
       g = LLVMGetNextFunction(g)) {
    const char *name = LLVMGetValueName2(g, &n);
    take_panic(m, g, name);
  }
  type_locals(m);
  return true;
}
