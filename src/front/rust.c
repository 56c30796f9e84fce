// SPDX-License-Identifier: MIT
// What a module of rustc needs: functions of its library whose meaning is known
// are rt/'s instead (rt/rust.c). They are found by their names, which are
// mangled in the legacy way: the library is compiled when rustc is, whatever a
// program asks for.
#include "front/rust.h"

#include <string.h>

static void replace(LLVMModuleRef m, LLVMValueRef g, const char *by) {
  LLVMReplaceAllUsesWith(g, LLVMAddFunction(m, by, LLVMGlobalGetValueType(g)));
}

// -- panics

// A panic is a finding: the function that all of them go through is rt/'s. The
// message has the form of rt/rust.c if it has its size; otherwise the library's
// own code prints it and aborts.
static bool take_panic(LLVMModuleRef m, LLVMValueRef g, const char *name) {
  enum { SIZE_OF_MESSAGE = 48 };
  unsigned kind = LLVMGetEnumAttributeKindForName("dereferenceable", 15);
  bool may_unwind = strstr(name, "4core9panicking9panic_fmt") != NULL;
  if (!may_unwind && !strstr(name, "4core9panicking18panic_nounwind_fmt"))
    return false;
  LLVMAttributeRef size = LLVMGetEnumAttributeAtIndex(g, 1, kind);
  if (!size || LLVMGetEnumAttributeValue(size) != SIZE_OF_MESSAGE ||
      LLVMCountParams(g) != (may_unwind ? 2 : 3))
    return false;
  replace(m, g,
          may_unwind ? "heddle_rust_panic" : "heddle_rust_panic_nounwind");
  return true;
}

// -- locks

// Where a thread waits for a lock. The word is the lock's first.
static void take_lock(LLVMModuleRef m, LLVMValueRef g, const char *name) {
  static const struct {
    const char *name, *by;
  } locks[] = {
      {"5mutex5futex5Mutex14lock_contended", "heddle_rust_lock"},
      {"6rwlock5futex6RwLock14read_contended", "heddle_rust_read"},
      {"6rwlock5futex6RwLock15write_contended", "heddle_rust_write"},
  };
  for (size_t i = 0; i < sizeof locks / sizeof *locks; i++)
    if (strstr(name, locks[i].name) && LLVMCountParams(g) == 1)
      replace(m, g, locks[i].by);
}

bool rust_prepare(LLVMModuleRef m) {
  if (!LLVMGetNamedFunction(m, "rust_eh_personality") &&
      !LLVMGetNamedFunction(m, "rust_begin_unwind"))
    return false;
  size_t n;
  for (LLVMValueRef g = LLVMGetFirstFunction(m); g;
       g = LLVMGetNextFunction(g)) {
    const char *name = LLVMGetValueName2(g, &n);
    if (!take_panic(m, g, name))
      take_lock(m, g, name);
  }
  return true;
}
