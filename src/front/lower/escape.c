// SPDX-License-Identifier: MIT
// Which addresses could another thread ever learn? A local whose address stays
// inside of its thread is private memory and makes no events. (Instructions
// that access it and also order other accesses are noted: own.c.) The analysis
// follows an address through casts, arithmetic, promoted variables and
// parameters of known functions; anything else gives it away. For parameters
// the answers depend on each other, so they start at "harmless" and grow until
// nothing changes.
#include "front/stage.h"

#include <string.h>

// (That a variable is volatile means nothing as long as no other thread knows
// it.)
static bool is_plain_access(LLVMValueRef inst, LLVMTypeRef accessed,
                            LLVMTypeRef local) {
  return !type_is_aggregate(accessed) && type_supported(accessed) &&
         type_width(accessed) == type_width(local) &&
         LLVMGetOrdering(inst) == LLVMAtomicOrderingNotAtomic;
}

bool escape_promotable(LLVMValueRef alloca) {
  LLVMTypeRef t = LLVMGetAllocatedType(alloca);
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(alloca);
  if (type_is_aggregate(t) || !type_supported(t) ||
      !LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1 ||
      block != LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)))
    return false;
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool fine =
        LLVMIsALoadInst(user) ? is_plain_access(user, LLVMTypeOf(user), t)
        : LLVMIsAStoreInst(user)
            ? LLVMGetOperand(user, 0) != alloca &&
                  is_plain_access(user, LLVMTypeOf(LLVMGetOperand(user, 0)), t)
            : scope_is_marker(user);
    if (!fine)
      return false;
  }
  return true;
}

// -- arguments of calls

static unsigned builtin_fate(int builtin) {
  switch (builtin) {
  case BI_lock: // locks are events, so they have to lie in shared memory
  case BI_lock_for:
  case BI_unlock:
  case BI_spawn:
  case BI_thread_exit:
    return PTR_ESCAPES;
  default:
    return 0;
  }
}

// On x86 these instructions order others (own.c).
static bool has_locked(const char *text) {
  return strstr(text, "lock") || strstr(text, "xchg");
}

// An operand in memory is only accessed. A pointer in a register may become a
// result of an empty text, which does nothing else with it.
static unsigned asm_fate(LLVMValueRef call, unsigned i) {
  unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
  size_t len;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &len);
  bool has_outputs_in_memory = false;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    bool is_memory = LLVMGetCallSiteEnumAttribute(call, k + 1, kind) != NULL;
    if (is_memory && k == i)
      return has_locked(text) ? PTR_ORDERS : 0;
    has_outputs_in_memory |= is_memory;
  }
  return len || has_outputs_in_memory ? PTR_ESCAPES : PTR_RETURNED;
}

// Does a format have %p, or is it not known?
static bool has_pointers(LLVMValueRef format) {
  LLVMValueRef text =
      LLVMIsAGlobalVariable(format) && LLVMIsGlobalConstant(format)
          ? LLVMGetInitializer(format)
          : NULL;
  if (!text || !LLVMIsConstantString(text))
    return true;
  size_t len;
  const char *at = LLVMGetAsString(text, &len), *end = at + len;
  while (at < end && (at = memchr(at, '%', (size_t)(end - at)))) {
    at++;
    while (at < end && *at && strchr("-+ #0123456789.*hlLjzt", *at))
      at++;
    if (at < end && *at == 'p')
      return true;
    at += at < end;
  }
  return false;
}

// Does the call write pointers as text to where they can be read again?
static bool writes_pointers(LLVMValueRef function, LLVMValueRef call) {
  size_t len;
  const char *name = LLVMGetValueName2(function, &len);
  unsigned format = LLVMCountParams(function) - 1;
  return (strstr(name, "sprintf") || strstr(name, "snprintf")) &&
         has_pointers(LLVMGetOperand(call, format));
}

unsigned escape_argument(struct front *f, LLVMValueRef call, unsigned i) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee))
    return asm_fate(call, i);
  if (!LLVMIsAFunction(callee))
    return PTR_ESCAPES;
  if (LLVMGetIntrinsicID(callee) || call_byval(f, call, i))
    return 0;
  size_t len;
  switch (call_special(f, call)) {
  case CALL_SPAWN:
    return i >= 2 ? PTR_ESCAPES : 0;
  case CALL_JOIN:
  case CALL_SELF:
  case CALL_ATOMIC:
  case CALL_KERNEL:
  case CALL_SETJMP:
  case CALL_LONGJMP:
    return 0;
  case CALL_PLAIN:
    break;
  }
  const uint32_t *index = ptrmap_find(&f->function_of, callee);
  if (!index)
    return builtin_fate(builtin_of_name(LLVMGetValueName2(callee, &len)));
  const struct function *fn = &f->functions.at[*index];
  if (!fn->llvm)
    return builtin_fate(fn->builtin);
  if (i < LLVMCountParams(fn->llvm))
    return fn->param_fate[i];
  // Variadic functions of the library (printf) keep nothing.
  return fn->module->is_library && !writes_pointers(fn->llvm, call)
             ? 0
             : PTR_ESCAPES;
}

// -- following an address

struct chase {
  struct front *f;
  bool notes; // atomic operations, also of the functions that it is given to
  struct ptrmap seen;
  ARRAY(LLVMValueRef) open; // values that may hold the address
  unsigned fate;
};

static void chase_add(struct chase *c, LLVMValueRef v) {
  if (ptrmap_find(&c->seen, v))
    return;
  ptrmap_set(&c->seen, v, 1);
  array_push(&c->open, v);
}

// The address goes into variable `to`: fine if that is a register.
static void chase_stored(struct chase *c, LLVMValueRef to) {
  if (!LLVMIsAAllocaInst(to) || !escape_promotable(to)) {
    c->fate |= PTR_ESCAPES;
    return;
  }
  for (LLVMUseRef u = LLVMGetFirstUse(to); u; u = LLVMGetNextUse(u))
    if (LLVMIsALoadInst(LLVMGetUser(u)))
      chase_add(c, LLVMGetUser(u));
}

static void chase_call(struct chase *c, LLVMValueRef call, LLVMValueRef v) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    if (LLVMGetOperand(call, i) != v)
      continue;
    unsigned fate = escape_argument(c->f, call, i);
    c->fate |= fate & (PTR_ESCAPES | PTR_ORDERS);
    if (fate & PTR_RETURNED)
      chase_add(c, call);
    if (!c->notes || !(fate & PTR_ORDERS))
      continue;
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
      own_note(c->f, call);
    else
      chase_add(c, LLVMGetParam(LLVMGetCalledValue(call), i));
  }
}

static void chase_ordering(struct chase *c, LLVMValueRef inst) {
  c->fate |= PTR_ORDERS;
  if (c->notes)
    own_note(c->f, inst);
}

static void chase_use(struct chase *c, LLVMValueRef user, LLVMValueRef v) {
  switch ((int)LLVMGetInstructionOpcode(user)) {
  case LLVMLoad:
  case LLVMICmp:
  case LLVMVAArg:
    break;
  case LLVMStore:
    if (LLVMGetOperand(user, 0) == v)
      chase_stored(c, LLVMGetOperand(user, 1));
    else if (LLVMGetOrdering(user) == LLVMAtomicOrderingSequentiallyConsistent)
      chase_ordering(c, user);
    break;
  case LLVMAtomicCmpXchg: // on x86 both order whatever they are told to
  case LLVMAtomicRMW:
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(user); i++)
      if (LLVMGetOperand(user, i) == v)
        c->fate |= PTR_ESCAPES;
    chase_ordering(c, user);
    break;
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze:
    chase_add(c, user);
    break;
  case LLVMCall:
  case LLVMInvoke:
    chase_call(c, user, v);
    break;
  case LLVMRet:
    c->fate |= PTR_RETURNED;
    break;
  default:
    c->fate |= PTR_ESCAPES;
  }
}

static unsigned chase(struct front *f, LLVMValueRef root, bool notes) {
  struct chase c = {.f = f, .notes = notes};
  chase_add(&c, root);
  while (c.open.len && !(c.fate & PTR_ESCAPES)) {
    LLVMValueRef v = array_pop(&c.open);
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
      LLVMValueRef user = LLVMGetUser(u);
      if (LLVMIsAInstruction(user))
        chase_use(&c, user, v);
      else
        c.fate |= PTR_ESCAPES;
    }
  }
  array_done(&c.open);
  ptrmap_done(&c.seen);
  return c.fate;
}

static unsigned fate_of(struct front *f, LLVMValueRef root) {
  return chase(f, root, /*notes=*/false);
}

bool escape_local(struct front *f, LLVMValueRef local) {
  return (fate_of(f, local) & ~(unsigned)PTR_ORDERS) != 0;
}

static bool update_params(struct front *f, struct function *fn) {
  bool changed = false;
  unsigned i = 0;
  for (LLVMValueRef p = LLVMGetFirstParam(fn->llvm); p;
       p = LLVMGetNextParam(p), i++) {
    if (LLVMGetTypeKind(LLVMTypeOf(p)) != LLVMPointerTypeKind)
      continue;
    uint8_t fate = (uint8_t)fate_of(f, p);
    changed |= fate != fn->param_fate[i];
    fn->param_fate[i] = fate;
  }
  return changed;
}

// A thread-local variable is private when no use gives its address away.
static bool tls_is_private(struct front *f, LLVMValueRef global) {
  for (LLVMUseRef u = LLVMGetFirstUse(global); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsACallInst(user) || fate_of(f, user) != 0)
      return false;
  }
  return true;
}

static void privatise_tls(struct front *f) {
  for (uint32_t i = 0; i < f->globals.len; i++)
    if (f->prog->globals.at[i].is_thread_local)
      f->prog->globals.at[i].is_private = true;
  for (uint32_t i = 0; i < f->global_of.entries.len; i++) {
    LLVMValueRef name = (LLVMValueRef)(uintptr_t)f->global_of.entries.at[i].key;
    if (LLVMIsThreadLocal(name) && !tls_is_private(f, name))
      f->prog->globals.at[f->global_of.entries.at[i].value].is_private = false;
  }
}

static void note_orders(struct front *f, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsAAllocaInst(i) && !escape_promotable(i) &&
          fate_of(f, i) == PTR_ORDERS)
        chase(f, i, /*notes=*/true);
}

void escape_analyse(struct front *f) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < f->functions.len; i++)
      if (f->functions.at[i].llvm)
        changed |= update_params(f, &f->functions.at[i]);
  }
  privatise_tls(f);
  for (uint32_t i = 0; i < f->functions.len; i++)
    if (f->functions.at[i].llvm)
      note_orders(f, f->functions.at[i].llvm);
  own_make_words(f);
}
