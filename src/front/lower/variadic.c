// SPDX-License-Identifier: MIT
// Variable arguments, as x86-64 passes them: clang decides in the caller, and
// again in va_arg, which of them still find a register, so that code that lays
// them out has to count registers as well (struct variadic says how). Code for
// AArch64 counts otherwise, but asks its va_list at each va_arg whether
// registers are left: there are none, all arguments are in memory. Those that
// come from a caller that did not know this are rejected at va_start.
#include "front/lower/lower.h"

#include <string.h>

struct registers {
  unsigned general, vector;
};

enum where { IN_GENERAL, IN_VECTOR, IN_MEMORY };

// Where an argument goes, and takes the registers for it: all or none.
static enum where place_argument(const struct front *f, LLVMTypeRef t,
                                 bool is_copy, struct registers *used) {
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  bool is_vector = kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind ||
                   kind == LLVMDoubleTypeKind ||
                   (type_is_lanes(t) && type_size(f, t) <= 16);
  if (is_copy || kind == LLVMX86_FP80TypeKind)
    return IN_MEMORY;
  if (is_vector && used->vector < VECTOR_REGISTERS) {
    used->vector++;
    return IN_VECTOR;
  }
  unsigned words = type_slots(t);
  if (is_vector || type_is_lanes(t) ||
      used->general + words > GENERAL_REGISTERS)
    return IN_MEMORY;
  used->general += words;
  return IN_GENERAL;
}

uint64_t variadic_parameters(struct front *f, LLVMValueRef function) {
  struct registers used = {0, 0};
  unsigned n = LLVMCountParams(function);
  for (unsigned i = 0; i < n; i++)
    place_argument(f, LLVMTypeOf(LLVMGetParam(function, i)),
                   function_byval(f, function, i) != NULL, &used);
  if (n == 0)
    used = (struct registers){GENERAL_REGISTERS, VECTOR_REGISTERS};
  return imm_variadic((struct variadic){.general = (uint8_t)used.general,
                                        .vector = (uint8_t)used.vector});
}

// A struct in memory lies among the arguments word by word.
static void push_copy(struct lowering *l, vreg_list *to, LLVMValueRef pointer,
                      LLVMTypeRef type) {
  uint64_t size = type_size(l->f, type);
  vreg address = lower_value(l, pointer);
  vreg area = lower_op(l, OP_local, lower_number(l, (size + 7) / 8 * 8), 0, 16);
  lower_copy(l, &(struct copy){.to = area,
                               .from = address,
                               .from_value = pointer,
                               .type = type,
                               .size = size});
  for (uint64_t at = 0; at < size; at += 8) {
    vreg word = lower_op(l, OP_load, lower_offset(l, area, at), 0,
                         imm_access((struct imm_access){.size = 8}));
    array_push(to, word);
  }
}

// The words of a value; in memory, lanes are packed.
static void push_words(struct lowering *l, vreg_list *to, LLVMValueRef v) {
  vreg words[MAX_LANES];
  uint32_t n = lower_words(l, v, words);
  for (uint32_t i = 0; i < n; i++)
    array_push(to, words[i]);
}

// va_arg of an integer of 128 bits rounds up to 16 even where LLVM aligned it
// to 8 (clang before version 18).
static unsigned usual_alignment(const struct front *f, LLVMTypeRef t) {
  bool is_wide = LLVMGetTypeKind(t) == LLVMIntegerTypeKind && type_slots(t) > 1;
  return is_wide ? 16 : LLVMABIAlignmentOfType(f->layout, t);
}

static void push_memory(struct lowering *l, vreg_list *to, LLVMValueRef call,
                        unsigned i) {
  LLVMValueRef v = LLVMGetOperand(call, i);
  LLVMTypeRef copied = call_byval(l->f, call, i);
  unsigned align = copied ? call_alignment(l->f, call, i) : 0;
  if (!align)
    align = usual_alignment(l->f, copied ? copied : LLVMTypeOf(v));
  if (align > 16)
    lower_refuse(l,
                 "variable arguments that are aligned to %u bytes are not "
                 "supported",
                 align);
  if (align == 16 && to->len % 2) // va_arg rounds up to 16
    array_push(to, lower_number(l, 0));
  if (copied)
    push_copy(l, to, v, copied);
  else
    push_words(l, to, v);
}

// Floats of a struct would lie in one word there.
static void refuse_floats(struct lowering *l, LLVMTypeRef t) {
  if (LLVMGetTypeKind(t) == LLVMArrayTypeKind &&
      type_size(l->f, LLVMGetElementType(t)) % 8)
    lower_refuse(l, "a struct of floats as a variable argument is not "
                    "supported in code for AArch64");
}

struct layout {
  vreg_list general, vector, memory;
};

static void push_variadic(struct lowering *l, struct layout *a,
                          LLVMValueRef call, unsigned i, enum where where) {
  LLVMValueRef v = LLVMGetOperand(call, i);
  switch (where) {
  case IN_GENERAL:
    push_words(l, &a->general, v);
    break;
  case IN_VECTOR:
    push_words(l, &a->vector, v);
    if (a->vector.len % 2)
      array_push(&a->vector, lower_number(l, 0));
    break;
  case IN_MEMORY:
    push_memory(l, &a->memory, call, i);
    break;
  }
}

static void append(vreg_list *to, vreg_list *from) {
  for (uint32_t i = 0; i < from->len; i++)
    array_push(to, from->at[i]);
  array_done(from);
}

void lower_variadic(struct lowering *l, LLVMValueRef call, uint32_t params,
                    bool in_memory, vreg_list *slots) {
  struct registers used = {0, 0}, fixed = {0, 0};
  struct layout a = {0};
  unsigned n = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < n && !l->f->failed; i++) {
    LLVMValueRef v = LLVMGetOperand(call, i);
    enum where where =
        in_memory ? IN_MEMORY
                  : place_argument(l->f, LLVMTypeOf(v),
                                   call_byval(l->f, call, i) != NULL, &used);
    if (in_memory)
      refuse_floats(l, LLVMTypeOf(v));
    if (slots->len >= params) {
      push_variadic(l, &a, call, i, where);
      continue;
    }
    vreg r = lower_value(l, v);
    for (uint32_t k = 0; k < type_slots(LLVMTypeOf(v)); k++)
      array_push(slots, r + k);
    fixed = used;
  }
  struct variadic v = {(uint8_t)fixed.general, (uint8_t)fixed.vector,
                       (uint8_t)used.general, (uint8_t)used.vector};
  array_push(slots, lower_number(l, imm_variadic(v)));
  append(slots, &a.general);
  append(slots, &a.vector);
  append(slots, &a.memory);
}

// -- AArch64

bool variadic_is_arm(const struct function *fn) {
  if (!fn->llvm)
    return false;
  const char *triple = LLVMGetTarget(LLVMGetGlobalParent(fn->llvm));
  return strncmp(triple, "aarch64", 7) == 0 && strstr(triple, "linux");
}

static const struct imm_access WORD = {.size = 8};

// struct { void *stack, *gr_top, *vr_top; int gr_offs, vr_offs; }: offsets that
// are not negative say that the registers are used up.
void variadic_start_arm(struct lowering *l, vreg to) {
  vreg list = lower_op(l, OP_local, lower_number(l, 24), 0, 16);
  lower_emit(l, OP_va_start, list, 0, 0, imm_variadic(VARIADIC_MEMORY));
  vreg words[] = {
      lower_op(l, OP_load, lower_offset(l, list, 8), 0, imm_access(WORD)),
      lower_number(l, 0), lower_number(l, 0), lower_number(l, 0)};
  for (unsigned i = 0; i < LENGTH(words); i++)
    lower_emit(l, OP_store, lower_offset(l, to, 8ull * i), words[i], 0,
               imm_access(WORD));
}

// vprintf and its kind: the last argument is a va_list.
static bool takes_list(LLVMValueRef callee) {
  size_t len;
  const char *name = LLVMGetValueName2(callee, &len);
  unsigned n = LLVMCountParams(callee);
  name += strspn(name, "_");
  return *name == 'v' &&
         (strstr(name, "print") || strstr(name, "scan") ||
          strstr(name, "warn") || strstr(name, "err")) &&
         n &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(callee, n - 1))) ==
             LLVMPointerTypeKind;
}

vreg variadic_argument(struct lowering *l, LLVMValueRef call, unsigned i) {
  vreg given = lower_value(l, LLVMGetOperand(call, i));
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!variadic_is_arm(l->fn) || !LLVMIsAFunction(callee) ||
      i + 1 != LLVMGetNumArgOperands(call))
    return given;
  const uint32_t *index = ptrmap_find(&l->f->function_of, callee);
  const struct function *fn = index ? &l->f->functions.at[*index] : NULL;
  if (!fn || !fn->llvm || !fn->module->is_library || !takes_list(fn->llvm))
    return given;
  vreg list = lower_op(l, OP_local, lower_number(l, 24), 0, 16);
  vreg words[] = {
      lower_number(l, 8 * GENERAL_REGISTERS |
                          (8ull * GENERAL_REGISTERS + 16 * VECTOR_REGISTERS)
                              << 32),
      lower_op(l, OP_load, given, 0, imm_access(WORD)), lower_number(l, 0)};
  for (unsigned k = 0; k < LENGTH(words); k++)
    lower_emit(l, OP_store, lower_offset(l, list, 8ull * k), words[k], 0,
               imm_access(WORD));
  return list;
}
