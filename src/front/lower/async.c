// SPDX-License-Identifier: MIT
// Threads that a label starts. For CBMC the statement behind a label
// __CPROVER_ASYNC_n is a thread of its own, which has copies of the locals that
// it uses; one whose address is taken is shared. <heddle/undeclared.h> makes
// such a label
//
//     for (; __heddle_async(); __heddle_async_end()) __CPROVER_ASYNC_n
//
// so that clang's blocks say where the statement begins and ends. These blocks
// are moved here to a function of their own, before anything else looks at the
// module, and what is left of the loop spawns that function.
//
// The only way into these blocks is the loop's condition, so whatever they use
// and do not make is known there: it is put into a record on the heap, from
// which the function takes it first of all.
#include "front/stage.h"

#include <string.h>

static const char begins[] = "__heddle_async", ends[] = "__heddle_async_end",
                  label[] = "__CPROVER_ASYNC";

typedef ARRAY(LLVMBasicBlockRef) block_list;
typedef ARRAY(LLVMValueRef) value_list;

// A value from outside of the statement, or the contents of a local.
struct taken {
  LLVMValueRef value; // the local is an alloca
  bool is_contents;
  LLVMTypeRef type;
};

struct thread_label {
  struct front *f;
  LLVMModuleRef module;
  LLVMBuilderRef build;
  LLVMValueRef call;                        // of __heddle_async
  LLVMBasicBlockRef condition, next, after; // of the loop
  block_list blocks;                        // of the statement; the first first
  struct ptrmap inside;                     // the same as a set
  ARRAY(struct taken) taken;
  value_list own; // locals that nothing else uses
};

// -- finding the statement

static bool calls(LLVMBasicBlockRef b, const char *function) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
       i = LLVMGetNextInstruction(i))
    if (LLVMIsACallInst(i)) {
      size_t len;
      const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &len);
      if (strcmp(name, function) == 0)
        return true;
    }
  return false;
}

static void add_block(struct thread_label *t, LLVMBasicBlockRef b) {
  if (b == t->next || ptrmap_find(&t->inside, b))
    return;
  ptrmap_set(&t->inside, b, 1);
  array_push(&t->blocks, b);
}

// All that can be reached before the statement ends. False: it does not have
// one way in and one way out.
static bool find_blocks(struct thread_label *t) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(t->condition);
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
    return false;
  t->after = LLVMGetSuccessor(end, 1);
  LLVMValueRef f = LLVMGetBasicBlockParent(t->condition);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    if (calls(b, ends) &&
        LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), 0) == t->condition)
      t->next = b;
  add_block(t, LLVMGetSuccessor(end, 0));
  for (uint32_t i = 0; i < t->blocks.len; i++) {
    end = LLVMGetBasicBlockTerminator(t->blocks.at[i]);
    if (LLVMIsAReturnInst(end) || t->blocks.at[i] == t->after ||
        t->blocks.at[i] == t->condition)
      return false;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
      add_block(t, LLVMGetSuccessor(end, s));
  }
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b)) {
    if (b == t->condition || ptrmap_find(&t->inside, b))
      continue;
    end = LLVMGetBasicBlockTerminator(b);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
      if (ptrmap_find(&t->inside, LLVMGetSuccessor(end, s)))
        return false;
  }
  return t->next;
}

// -- what it uses

static bool is_inside(const struct thread_label *t, LLVMValueRef inst) {
  return ptrmap_find(&t->inside, LLVMGetInstructionParent(inst)) != NULL;
}

// Is the local used in the statement alone?
static bool is_own(const struct thread_label *t, LLVMValueRef alloca) {
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u))
    if (!is_inside(t, LLVMGetUser(u)))
      return false;
  return true;
}

static bool is_from_outside(const struct thread_label *t, LLVMValueRef v) {
  return LLVMIsAArgument(v) || (LLVMIsAInstruction(v) && !is_inside(t, v));
}

static bool is_known(const struct thread_label *t, LLVMValueRef v) {
  for (uint32_t i = 0; i < t->taken.len; i++)
    if (t->taken.at[i].value == v)
      return true;
  for (uint32_t i = 0; i < t->own.len; i++)
    if (t->own.at[i] == v)
      return true;
  return false;
}

// Whether a structure or an array is copied or shared depends on whether its
// address is taken, which is not known any more.
static bool take(struct thread_label *t, LLVMValueRef user, LLVMValueRef v) {
  bool is_local = LLVMIsAAllocaInst(v);
  if (is_local && is_own(t, v)) {
    array_push(&t->own, v);
    return true;
  }
  bool is_contents = is_local && escape_promotable(v);
  if (is_local && !is_contents && type_is_aggregate(LLVMGetAllocatedType(v)))
    return front_refuse(
        t->f, user,
        "a thread that a label starts uses a structure or an array of the "
        "function around it: start it with pthread_create instead");
  struct taken taken = {v, is_contents,
                        is_contents ? LLVMGetAllocatedType(v) : LLVMTypeOf(v)};
  array_push(&t->taken, taken);
  return true;
}

static bool find_taken(struct thread_label *t) {
  for (uint32_t b = 0; b < t->blocks.len; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(t->blocks.at[b]); i;
         i = LLVMGetNextInstruction(i))
      for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(i); o++) {
        LLVMValueRef v = LLVMGetOperand(i, o);
        if (is_from_outside(t, v) && !is_known(t, v) && !take(t, i, v))
          return false;
      }
  return true;
}

// -- moving it

static LLVMTypeRef record_type(const struct thread_label *t) {
  LLVMTypeRef *members = xcalloc(t->taken.len + 1u, sizeof *members);
  for (uint32_t i = 0; i < t->taken.len; i++)
    members[i] = t->taken.at[i].type;
  LLVMTypeRef type =
      LLVMStructTypeInContext(t->f->context, members, t->taken.len, 0);
  free(members);
  return type;
}

// A call of one of Heddle's own functions, which takes up to two values.
static LLVMValueRef call_own(struct thread_label *t, const char *name,
                             LLVMTypeRef result, LLVMValueRef *args,
                             unsigned n) {
  LLVMTypeRef types[2];
  for (unsigned i = 0; i < n; i++)
    types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
  LLVMValueRef function = LLVMGetNamedFunction(t->module, name);
  if (!function)
    function = LLVMAddFunction(t->module, name, type);
  return LLVMBuildCall2(t->build, type, function, args, n, "");
}

// In place of the loop: the record, and the thread.
static void spawn(struct thread_label *t, LLVMValueRef function,
                  LLVMTypeRef record) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(t->f->context, 0),
              word = LLVMInt64TypeInContext(t->f->context),
              none = LLVMVoidTypeInContext(t->f->context);
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(t->condition));
  LLVMPositionBuilderAtEnd(t->build, t->condition);
  LLVMSetCurrentDebugLocation2(t->build, LLVMInstructionGetDebugLoc(t->call));
  LLVMValueRef room = LLVMConstNull(pointer);
  if (t->taken.len) {
    LLVMValueRef size = LLVMConstInt(
        word, LLVMABISizeOfType(LLVMGetModuleDataLayout(t->module), record), 0);
    room = call_own(t, "__heddle_malloc", pointer, &size, 1);
  }
  for (uint32_t i = 0; i < t->taken.len; i++) {
    LLVMValueRef v = t->taken.at[i].value;
    if (t->taken.at[i].is_contents)
      v = LLVMBuildLoad2(t->build, t->taken.at[i].type, v, "");
    LLVMBuildStore(t->build, v,
                   LLVMBuildStructGEP2(t->build, record, room, i, ""));
  }
  call_own(t, "__heddle_rt_time_has_company", none, NULL, 0);
  LLVMValueRef thread =
      call_own(t, "__heddle_spawn", word, (LLVMValueRef[]){function, room}, 2);
  call_own(t, "__heddle_detach", none, &thread, 1);
  LLVMBuildBr(t->build, t->after);
}

static void replace_inside(struct thread_label *t, LLVMValueRef old,
                           LLVMValueRef new) {
  for (uint32_t b = 0; b < t->blocks.len; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(t->blocks.at[b]); i;
         i = LLVMGetNextInstruction(i))
      for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(i); o++)
        if (LLVMGetOperand(i, o) == old)
          LLVMSetOperand(i, o, new);
}

// The function begins with its own locals and with what the record has.
static void begin_function(struct thread_label *t, LLVMBasicBlockRef entry,
                           LLVMTypeRef record) {
  LLVMValueRef room = LLVMGetParam(LLVMGetBasicBlockParent(entry), 0);
  LLVMPositionBuilderAtEnd(t->build, entry);
  for (uint32_t i = 0; i < t->own.len; i++) {
    LLVMInstructionRemoveFromParent(t->own.at[i]);
    LLVMInsertIntoBuilder(t->build, t->own.at[i]);
  }
  for (uint32_t i = 0; i < t->taken.len; i++) {
    struct taken old = t->taken.at[i];
    LLVMValueRef new =
        LLVMBuildLoad2(t->build, old.type,
                       LLVMBuildStructGEP2(t->build, record, room, i, ""), "");
    if (old.is_contents) {
      LLVMValueRef copy = LLVMBuildAlloca(t->build, old.type, "");
      LLVMBuildStore(t->build, new, copy);
      new = copy;
    }
    replace_inside(t, old.value, new);
  }
  if (t->taken.len)
    call_own(t, "__heddle_free", LLVMVoidTypeInContext(t->f->context), &room,
             1);
  LLVMBuildBr(t->build, t->blocks.at[0]);
}

static void move_blocks(struct thread_label *t, LLVMValueRef function,
                        LLVMBasicBlockRef entry) {
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(t->f->context, function,
                                                        "end"),
                    last = entry;
  for (uint32_t i = 0; i < t->blocks.len; i++) {
    LLVMBasicBlockRef b = t->blocks.at[i];
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(b);
    LLVMMoveBasicBlockAfter(b, last);
    last = b;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(terminator); s++)
      if (LLVMGetSuccessor(terminator, s) == t->next)
        LLVMSetSuccessor(terminator, s, end);
    if (strncmp(LLVMGetBasicBlockName(b), label, strlen(label)) == 0)
      LLVMSetValueName2(LLVMBasicBlockAsValue(b), "statement", 9);
  }
  LLVMPositionBuilderAtEnd(t->build, end);
  LLVMBuildRet(t->build, LLVMConstNull(LLVMGetReturnType(
                             LLVMGlobalGetValueType(function))));
}

// The name of the label, which reports call the thread.
static const char *name_of(const struct thread_label *t) {
  for (uint32_t i = 0; i < t->blocks.len; i++) {
    const char *name = LLVMGetBasicBlockName(t->blocks.at[i]);
    if (strncmp(name, label, strlen(label)) == 0)
      return name;
  }
  return label;
}

static void outline(struct thread_label *t) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(t->f->context, 0),
              record = record_type(t);
  LLVMValueRef function = LLVMAddFunction(
      t->module, name_of(t), LLVMFunctionType(pointer, &pointer, 1, 0));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMBasicBlockRef entry =
      LLVMAppendBasicBlockInContext(t->f->context, function, "entry");
  spawn(t, function, record);
  begin_function(t, entry, record);
  move_blocks(t, function, entry);
  LLVMDeleteBasicBlock(t->next);
  LLVMReplaceAllUsesWith(t->call, LLVMConstNull(LLVMTypeOf(t->call)));
  LLVMInstructionEraseFromParent(t->call);
}

static bool start_thread(struct front *f, LLVMModuleRef m, LLVMValueRef call) {
  struct thread_label t = {.f = f,
                           .module = m,
                           .build = LLVMCreateBuilderInContext(f->context),
                           .call = call,
                           .condition = LLVMGetInstructionParent(call)};
  bool good = find_blocks(&t);
  if (!good)
    front_refuse(f, call,
                 "the statement behind a label that starts a thread is entered "
                 "or left by a jump: start it with pthread_create instead");
  good = good && find_taken(&t);
  if (good)
    outline(&t);
  LLVMDisposeBuilder(t.build);
  array_done(&t.own);
  array_done(&t.taken);
  array_done(&t.blocks);
  ptrmap_done(&t.inside);
  return good;
}

bool async_outline(struct front *f, LLVMModuleRef m) {
  LLVMValueRef asks = LLVMGetNamedFunction(m, begins);
  value_list calls_of = {0};
  for (LLVMUseRef u = asks ? LLVMGetFirstUse(asks) : NULL; u;
       u = LLVMGetNextUse(u))
    array_push(&calls_of, LLVMGetUser(u));
  bool good = true;
  for (uint32_t i = 0; good && i < calls_of.len; i++)
    good = start_thread(f, m, calls_of.at[i]);
  array_done(&calls_of);
  return good;
}
