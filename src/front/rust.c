// SPDX-License-Identifier: MIT
// What a module of rustc needs: functions of its library whose meaning is known
// are rt/'s instead (rt/rust.c). They are found by their names, which are
// mangled in the legacy way: the library is compiled when rustc is, whatever a
// program asks for.
#include "front/rust.h"

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
  return true;
}
