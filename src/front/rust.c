// SPDX-License-Identifier: MIT
// What a module of rustc needs: functions of its library whose meaning is known
// are rt/'s instead (rt/rust.c). They are found by their names, which are
// mangled in the legacy way: the library is compiled when rustc is, whatever a
// program asks for. And its locals get the types that they are used with.
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

// -- locals

enum { MAX_PARTS = 8 };

// What lies at an offset of a local: all accesses there have this type.
struct part {
  unsigned long long offset, size;
  LLVMTypeRef type;
};

struct parts {
  struct part at[MAX_PARTS];
  unsigned n;
};

// Of pointers and whole numbers; 0: of others.
static unsigned long long size_of(LLVMTypeRef type) {
  switch ((int)LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type) % 8 ? 0 : LLVMGetIntTypeWidth(type) / 8;
  case LLVMPointerTypeKind:
  case LLVMDoubleTypeKind:
    return 8;
  case LLVMFloatTypeKind:
    return 4;
  case LLVMHalfTypeKind:
    return 2;
  default:
    return 0;
  }
}

static bool add_part(struct parts *p, unsigned long long offset,
                     LLVMTypeRef type) {
  unsigned long long size = size_of(type);
  for (unsigned i = 0; i < p->n; i++) {
    const struct part *q = &p->at[i];
    if (q->offset == offset && q->type == type)
      return true;
    if (offset < q->offset + q->size && q->offset < offset + size)
      return false;
  }
  if (!size || p->n == MAX_PARTS)
    return false;
  p->at[p->n++] = (struct part){offset, size, type};
  return true;
}

// An address in a local, some bytes from another?
static bool is_inside(LLVMValueRef user, unsigned long long *offset) {
  if (!LLVMIsAGetElementPtrInst(user) || LLVMGetNumIndices(user) != 1 ||
      size_of(LLVMGetGEPSourceElementType(user)) != 1 ||
      !LLVMIsAConstantInt(LLVMGetOperand(user, 1)))
    return false;
  *offset = LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1));
  return true;
}

// Are there only loads and stores at fixed offsets, which do not overlap?
static bool find_parts(LLVMValueRef address, unsigned long long offset,
                       bool is_whole, struct parts *p) {
  for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    unsigned long long inside;
    if (is_whole && is_inside(user, &inside)) {
      if (!find_parts(user, inside, /*is_whole=*/false, p))
        return false;
      continue;
    }
    bool is_load = LLVMIsALoadInst(user);
    if ((!is_load &&
         (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) == address)) ||
        !add_part(p, offset,
                  LLVMTypeOf(is_load ? user : LLVMGetOperand(user, 0))))
      return false;
  }
  return true;
}

// rustc says of locals only how many bytes they are. One whose parts have
// always the same pointers or numbers in them becomes a local for each part, of
// that type, as clang declares it: then these are registers, and an address in
// them has not escaped.
static void type_local(LLVMBuilderRef b, LLVMValueRef local) {
  LLVMTypeRef bytes = LLVMGetAllocatedType(local);
  struct parts parts = {0};
  if (LLVMGetTypeKind(bytes) != LLVMArrayTypeKind ||
      !find_parts(local, 0, /*is_whole=*/true, &parts))
    return;
  unsigned long long size = LLVMGetArrayLength2(bytes);
  for (unsigned i = 0; i < parts.n; i++)
    if (parts.at[i].offset >= size ||
        parts.at[i].size > size - parts.at[i].offset)
      return; // an error of the program
  LLVMPositionBuilderBefore(b, local);
  LLVMValueRef first = NULL; // what lies at offset 0
  for (unsigned i = 0; i < parts.n; i++) {
    const struct part *p = &parts.at[i];
    LLVMValueRef own = LLVMBuildAlloca(b, p->type, "");
    if (p->offset == 0)
      first = own;
    LLVMUseRef next;
    for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = next) {
      next = LLVMGetNextUse(u);
      LLVMValueRef user = LLVMGetUser(u);
      unsigned long long offset;
      if (is_inside(user, &offset) && offset == p->offset) {
        LLVMReplaceAllUsesWith(user, own);
        LLVMInstructionEraseFromParent(user);
      }
    }
  }
  if (!first)
    return;
  LLVMReplaceAllUsesWith(local, first);
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
