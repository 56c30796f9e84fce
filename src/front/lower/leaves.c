// SPDX-License-Identifier: MIT
// What lies behind a pointer: the scalars that the program declares there, as
// far as the type of the object or debug information tells.
#include "front/lower/lower.h"

// Strips constant offsets off a pointer.
static LLVMValueRef strip_offsets(struct front *f, LLVMValueRef p,
                                  uint64_t *offset) {
  *offset = 0;
  for (;;) {
    if (!LLVMIsAGetElementPtrInst(p) &&
        !(LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr))
      return p;
    uint64_t step;
    if (!type_gep_offset(f, p, &step))
      return p;
    *offset += step;
    p = LLVMGetOperand(p, 0);
  }
}

static LLVMValueRef base_alloca(LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p))
    p = LLVMGetOperand(p, 0);
  return LLVMIsAAllocaInst(p) ? p : NULL;
}

bool lower_is_private(const struct lowering *l, LLVMValueRef pointer) {
  LLVMValueRef base = pointer ? base_alloca(pointer) : NULL;
  return base && lower_place(l, base) == PLACE_PRIVATE;
}

bool lower_reads_silently(const struct lowering *l, LLVMValueRef pointer) {
  if (!pointer)
    return false;
  LLVMValueRef g =
      LLVMIsAConstantExpr(pointer) ? LLVMGetOperand(pointer, 0) : pointer;
  return lower_is_private(l, pointer) ||
         (LLVMIsAGlobalVariable(g) && LLVMIsGlobalConstant(g));
}

bool lower_type_leaves(const struct front *f, LLVMTypeRef t, uint64_t offset,
                       uint64_t size, leaf_list *out) {
  leaf_list all = {0};
  t = type_narrow(f, t, &offset, size);
  bool good = type_leaves(f, t, 0, &all) &&
              type_cut_leaves(&all, type_size(f, t), offset, size, out);
  array_done(&all);
  return good;
}

// The type that an object was made with; NULL if the IR does not say. A local
// of a type without a name is a temporary in which clang packs arguments; to
// rustc all locals are bytes, and all variables bytes and the addresses between
// them.
static LLVMTypeRef object_type(const struct lowering *l, LLVMValueRef root) {
  bool is_global = LLVMIsAGlobalVariable(root);
  LLVMTypeRef t = is_global                 ? LLVMGlobalGetValueType(root)
                  : LLVMIsAAllocaInst(root) ? LLVMGetAllocatedType(root)
                                            : NULL;
  if (!t)
    return NULL;
  bool is_array = LLVMGetTypeKind(t) == LLVMArrayTypeKind;
  bool is_nameless =
      LLVMGetTypeKind(t) == LLVMStructTypeKind && LLVMIsLiteralStruct(t);
  if (l->f->has_rust && (is_array || is_nameless))
    return NULL;
  return is_nameless && !is_global ? NULL : t;
}

bool lower_declared_leaves(struct lowering *l, LLVMValueRef pointer,
                           uint64_t skip, uint64_t size, leaf_list *out) {
  if (!pointer)
    return false;
  uint64_t offset;
  LLVMTypeRef t = object_type(l, strip_offsets(l->f, pointer, &offset));
  if (t && lower_type_leaves(l->f, t, offset + skip, size, out))
    return true;
  return names_leaves(l->f, pointer, skip, size, /*only_structs=*/false, out);
}

bool lower_packed_leaves(struct lowering *l, LLVMValueRef pointer,
                         uint64_t skip, uint64_t size, leaf_list *out) {
  uint64_t offset;
  LLVMTypeRef t = object_type(l, strip_offsets(l->f, pointer, &offset));
  if (!t)
    return names_leaves(l->f, pointer, skip, size, /*only_structs=*/true, out);
  while (LLVMGetTypeKind(t) == LLVMArrayTypeKind)
    t = LLVMGetElementType(t);
  return LLVMGetTypeKind(t) == LLVMStructTypeKind &&
         lower_type_leaves(l->f, t, (offset + skip) % type_size(l->f, t), size,
                           out);
}
