// SPDX-License-Identifier: MIT
// What a module of rustc needs: functions of its library whose meaning is known
// are rt/'s instead (rt/rust.c). They are found by their names, which are
// mangled in the legacy way: the library is compiled when rustc is, whatever a
// program asks for.
#include "front/rust.h"

#include <string.h>

static void replace(LLVMModuleRef m, LLVMValueRef g, const char *by) {
  LLVMValueRef other = LLVMGetNamedFunction(m, by);
  LLVMReplaceAllUsesWith(
      g, other ? other : LLVMAddFunction(m, by, LLVMGlobalGetValueType(g)));
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

// -- waiting

static bool is_one_of(const char *name, const char *const *list) {
  while (*list && !strstr(name, *list))
    list++;
  return *list;
}

// Before a thread sleeps, locks look at their word up to a hundred times, and
// go on as soon as it has changed. Looking once more does as well: what a round
// sees but the last is forgotten, a round that is left out orders nothing, and
// one that is added can read what the one before it has read. So the count
// begins at 1.
static void spin_once(LLVMValueRef g) {
  enum { ROUNDS = 100 };
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(g); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef phi = LLVMGetFirstInstruction(b);
         phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
      for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef from = LLVMGetIncomingValue(phi, i);
        if (LLVMIsAConstantInt(from) &&
            LLVMConstIntGetZExtValue(from) == ROUNDS)
          LLVMSetOperand(phi, i, LLVMConstInt(LLVMTypeOf(phi), 1, false));
      }
}

static void take_wait(LLVMModuleRef m, LLVMValueRef g, const char *name) {
  static const char *const locks[] = {"5mutex5futex5Mutex14lock_contended",
                                      "6rwlock5futex6RwLock14read_contended",
                                      "6rwlock5futex6RwLock15write_contended",
                                      NULL};
  // They pass the time and count how often they did, for nobody else.
  static const char *const back_off[] = {"4mpmc5utils7Backoff10spin_light",
                                         "4mpmc5utils7Backoff10spin_heavy",
                                         NULL};
  if (is_one_of(name, locks))
    spin_once(g);
  else if (is_one_of(name, back_off))
    replace(m, g, "heddle_rust_back_off");
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
      take_wait(m, g, name);
  }
  return true;
}
