// SPDX-License-Identifier: MIT
// What C++ programs allocate. Heap memory has no type, but the expression that
// asks for it has: `new` is followed by the constructor, by a store into a
// variable, or by a call that gets the pointer; std::make_shared and its
// relatives have the type as an argument.
#include "front/names/debug.h"

#include <string.h>

// The class that a function is a member of.
static LLVMMetadataRef class_of(struct front *f, LLVMValueRef function) {
  enum { SCOPE = 1 };
  LLVMValueRef ops[DEBUG_MAX_OPERANDS];
  LLVMMetadataRef md = LLVMGetSubprogram(function);
  if (!md || debug_operands(f, md, ops) <= SCOPE || !ops[SCOPE] ||
      !LLVMIsAMDNode(ops[SCOPE]))
    return NULL;
  LLVMMetadataRef scope = LLVMValueAsMetadata(ops[SCOPE]);
  return LLVMGetMetadataKind(scope) == LLVMDICompositeTypeMetadataKind ? scope
                                                                       : NULL;
}

// The class whose constructor gets what the call yields.
static LLVMMetadataRef constructed(struct front *f, LLVMValueRef call) {
  for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
    if (!is_call || LLVMGetOperand(user, 0) != call)
      continue;
    LLVMValueRef callee = LLVMGetCalledValue(user);
    LLVMMetadataRef found =
        LLVMIsAFunction(callee) ? class_of(f, callee) : NULL;
    if (found)
      return found;
  }
  return NULL;
}

// The type of what the variable points to that gets what the call yields.
static type_id stored_as(struct front *f, LLVMValueRef call) {
  for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == call)
      return names_pointee_type(f, LLVMGetOperand(user, 1));
  }
  return 0;
}

// Of a parameter, the first is 1, if each has one argument in the bitcode.
static struct ditype parameter_type(struct front *f, LLVMValueRef function,
                                    unsigned nth) {
  LLVMValueRef ops[DEBUG_MAX_OPERANDS];
  struct ditype none = {0};
  LLVMMetadataRef md = LLVMGetSubprogram(function);
  LLVMMetadataRef type = md ? debug_base(f, md) : NULL;
  LLVMMetadataRef types = type ? debug_list(f, type) : NULL;
  unsigned n = types ? debug_operands(f, types, ops) : 0;
  if (n != LLVMCountParams(function) + 1 || nth >= n || !ops[nth] ||
      !LLVMIsAMDNode(ops[nth]))
    return none;
  return debug_type(f, LLVMValueAsMetadata(ops[nth]));
}

// The type of what a parameter points to that gets what the call yields, if it
// is as large as what was asked for.
static type_id given_as(struct front *f, LLVMValueRef call) {
  LLVMValueRef size = LLVMGetOperand(call, 0);
  for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
    LLVMValueRef callee = is_call ? LLVMGetCalledValue(user) : NULL;
    if (!is_call || !LLVMIsAFunction(callee) || !LLVMIsAConstantInt(size))
      continue;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++) {
      if (LLVMGetOperand(user, i) != call)
        continue;
      struct ditype t = parameter_type(f, callee, i + 1);
      struct ditype to = t.md && debug_is_pointer(t) ? debug_pointee(f, t)
                                                     : (struct ditype){0};
      if (to.md && !debug_is_array(to) &&
          debug_size(f, to) == LLVMConstIntGetZExtValue(size))
        return debug_type_id(f, to);
    }
  }
  return 0;
}

// The first type that a template is given.
static LLVMMetadataRef template_type(struct front *f, LLVMValueRef function) {
  enum { TYPE = 1 };
  LLVMValueRef ops[DEBUG_MAX_OPERANDS], of[DEBUG_MAX_OPERANDS];
  LLVMMetadataRef md = LLVMGetSubprogram(function);
  unsigned n = md ? debug_operands(f, md, ops) : 0;
  for (unsigned i = 0; i < n; i++) {
    if (!ops[i] || !LLVMIsAMDNode(ops[i]) ||
        LLVMGetMetadataKind(LLVMValueAsMetadata(ops[i])) !=
            LLVMMDTupleMetadataKind ||
        !debug_operands(f, LLVMValueAsMetadata(ops[i]), of) || !of[0] ||
        !LLVMIsAMDNode(of[0]))
      continue;
    LLVMMetadataRef first = LLVMValueAsMetadata(of[0]);
    if (LLVMGetMetadataKind(first) == LLVMDITemplateTypeParameterMetadataKind)
      return debug_operands(f, first, ops) > TYPE && ops[TYPE]
                 ? LLVMValueAsMetadata(ops[TYPE])
                 : NULL;
  }
  return NULL;
}

static bool begins_with_one_of(const char *name, const char *const *words) {
  for (; *words; words++)
    if (strncmp(name, *words, strlen(*words)) == 0)
      return true;
  return false;
}

type_id names_made_type(struct front *f, LLVMValueRef call, const char *name) {
  static const char *const operators[] = {"_Znw", "_Zna", NULL};
  static const char *const makers[] = {
      "_ZSt11make_sharedI",         "_ZSt11make_uniqueI",
      "_ZSt15allocate_sharedI",     "_ZNSt3__111make_sharedB",
      "_ZNSt3__111make_sharedI",    "_ZNSt3__111make_uniqueB",
      "_ZNSt3__115allocate_shared", NULL};
  LLVMMetadataRef md = NULL;
  if (begins_with_one_of(name, operators)) {
    md = constructed(f, call);
    type_id stored = md ? 0 : stored_as(f, call);
    if (!md)
      return stored ? stored : given_as(f, call);
  } else if (begins_with_one_of(name, makers)) {
    md = template_type(f, LLVMGetCalledValue(call));
  }
  struct ditype t = md ? debug_type(f, md) : (struct ditype){0};
  return t.md && !debug_is_array(t) ? debug_type_id(f, t) : 0;
}
