// SPDX-License-Identifier: MIT
// How LLVM's types look to Heddle: as slots when a value is held in registers,
// as scalar leaves when it lies in memory. Vectors of numbers are like arrays.
#include "front/stage.h"

#include <string.h>

static unsigned vector_bits(LLVMTypeRef t) {
  return LLVMGetVectorSize(t) * type_width(LLVMGetElementType(t));
}

unsigned type_width(LLVMTypeRef t) {
  switch ((int)LLVMGetTypeKind(t)) {
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(t);
  case LLVMHalfTypeKind:
    return 16;
  case LLVMFloatTypeKind:
    return 32;
  case LLVMX86_FP80TypeKind:
    return 80;
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind:
    return 64;
  case LLVMVectorTypeKind:
    return vector_bits(t);
  default:
    return 0;
  }
}

// How many types a type consists of, counted up to `most`: by taking each other
// as members twice, a few of them can have more than there is time for.
static uint32_t count_parts(LLVMTypeRef t, uint32_t most) {
  uint32_t n = 1;
  if (LLVMGetTypeKind(t) == LLVMArrayTypeKind)
    return n + count_parts(LLVMGetElementType(t), most);
  if (LLVMGetTypeKind(t) == LLVMStructTypeKind)
    for (unsigned i = 0; n < most && i < LLVMCountStructElementTypes(t); i++)
      n += count_parts(LLVMStructGetTypeAtIndex(t, i), most - n);
  return n;
}

static bool is_endless(LLVMTypeRef t) {
  return type_is_aggregate(t) && count_parts(t, MANY_PARTS) >= MANY_PARTS;
}

bool type_is_lanes(LLVMTypeRef t) {
  if (LLVMGetTypeKind(t) != LLVMVectorTypeKind)
    return false;
  LLVMTypeKind lane = LLVMGetTypeKind(LLVMGetElementType(t));
  return lane == LLVMIntegerTypeKind || lane == LLVMHalfTypeKind ||
         lane == LLVMFloatTypeKind || lane == LLVMDoubleTypeKind;
}

// One bit is what a comparison yields; in memory they would be packed.
static bool has_usual_lanes(LLVMTypeRef t) {
  unsigned width = type_width(LLVMGetElementType(t));
  return (width == 1 || width == 8 || width == 16 || width == 32 ||
          width == 64) &&
         LLVMGetVectorSize(t) <= MAX_LANES;
}

static bool is_supported(LLVMTypeRef t) {
  switch ((int)LLVMGetTypeKind(t)) {
  case LLVMVectorTypeKind:
    if (type_is_lanes(t))
      return has_usual_lanes(t);
    return is_supported(LLVMGetElementType(t)) && type_width(t) > 0 &&
           type_width(t) <= 128;
  case LLVMIntegerTypeKind:
    return type_width(t) <= 64 * MAX_CALL_SLOTS;
  case LLVMPointerTypeKind: // in others, pointers have other sizes
    return LLVMGetPointerAddressSpace(t) == 0;
  case LLVMVoidTypeKind:
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMX86_FP80TypeKind:
    return true;
  case LLVMArrayTypeKind:
    return is_supported(LLVMGetElementType(t));
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
      if (!is_supported(LLVMStructGetTypeAtIndex(t, i)))
        return false;
    return true;
  default:
    return false;
  }
}

bool type_supported(LLVMTypeRef t) {
  return !is_endless(t) && is_supported(t);
}

static uint32_t few(uint64_t slots) {
  return slots < MANY_SLOTS ? (uint32_t)slots : MANY_SLOTS;
}

static uint32_t count_slots(LLVMTypeRef t) {
  switch ((int)LLVMGetTypeKind(t)) {
  case LLVMVectorTypeKind:
    return type_is_lanes(t) ? LLVMGetVectorSize(t) : (type_width(t) + 63) / 64;
  case LLVMIntegerTypeKind:
  case LLVMX86_FP80TypeKind:
    return (type_width(t) + 63) / 64;
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind:
    return 1;
  case LLVMArrayTypeKind: {
    uint64_t slots = count_slots(LLVMGetElementType(t));
    return slots ? few(few(LLVMGetArrayLength2(t)) * slots) : 0;
  }
  case LLVMStructTypeKind: {
    uint64_t n = 0;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
      n = few(n + count_slots(LLVMStructGetTypeAtIndex(t, i)));
    return (uint32_t)n;
  }
  default:
    return 0;
  }
}

uint32_t type_slots(LLVMTypeRef t) {
  return is_endless(t) ? MANY_SLOTS : count_slots(t);
}

uint64_t type_size(const struct front *f, LLVMTypeRef t) {
  return LLVMTypeIsSized(t) ? LLVMABISizeOfType(f->layout, t) : 0;
}

uint64_t type_field_offset(const struct front *f, LLVMTypeRef t, unsigned i) {
  if (LLVMGetTypeKind(t) == LLVMStructTypeKind)
    return LLVMOffsetOfElement(f->layout, t, i);
  return i * type_size(f, LLVMGetElementType(t));
}

LLVMTypeRef type_field(LLVMTypeRef t, unsigned i) {
  return LLVMGetTypeKind(t) == LLVMStructTypeKind
             ? LLVMStructGetTypeAtIndex(t, i)
             : LLVMGetElementType(t);
}

// A struct without members, or an array of such.
static bool is_nothing(LLVMTypeRef t) {
  return type_supported(t) && type_slots(t) == 0;
}

uint64_t type_fields(LLVMTypeRef t) {
  switch ((int)LLVMGetTypeKind(t)) {
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(t);
  case LLVMArrayTypeKind:
    return is_nothing(LLVMGetElementType(t)) ? 0 : LLVMGetArrayLength2(t);
  case LLVMVectorTypeKind:
    return LLVMGetVectorSize(t);
  default:
    return 0;
  }
}

bool type_is_aggregate(LLVMTypeRef t) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  return k == LLVMStructTypeKind || k == LLVMArrayTypeKind || type_is_lanes(t);
}

static bool is_union(LLVMTypeRef t) {
  const char *name =
      LLVMGetTypeKind(t) == LLVMStructTypeKind && !LLVMIsLiteralStruct(t)
          ? LLVMGetStructName(t)
          : NULL;
  return name && strncmp(name, "union.", 6) == 0;
}

static bool add_leaves(const struct front *f, LLVMTypeRef t, uint64_t offset,
                       leaf_list *out) {
  if (type_is_aggregate(t)) {
    if (is_union(t)) {
      uint64_t size = type_size(f, t);
      array_push(out, (struct leaf){offset, (uint32_t)size, true});
      return size <= UINT32_MAX && out->len <= MAX_LEAVES;
    }
    for (unsigned i = 0; i < type_fields(t); i++)
      if (!add_leaves(f, type_field(t, i), offset + type_field_offset(f, t, i),
                      out))
        return false;
    return true;
  }
  uint64_t bytes = (type_width(t) + 7) / 8;
  while (bytes) { // odd widths lie in memory as a few powers of two
    uint32_t piece = 16;
    while (piece > bytes)
      piece /= 2;
    array_push(out, (struct leaf){offset, piece, false});
    offset += piece;
    bytes -= piece;
  }
  return out->len <= MAX_LEAVES;
}

bool type_leaves(const struct front *f, LLVMTypeRef t, uint64_t offset,
                 leaf_list *out) {
  return !is_endless(t) && add_leaves(f, t, offset, out);
}

LLVMTypeRef type_narrow(const struct front *f, LLVMTypeRef t, uint64_t *offset,
                        uint64_t size) {
  while (type_is_aggregate(t) && !is_union(t) &&
         *offset + size <= type_size(f, t)) {
    uint64_t n = type_fields(t), i = 0;
    if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
      uint64_t step = type_size(f, LLVMGetElementType(t));
      i = step ? *offset / step : n;
    } else {
      while (i + 1 < n && type_field_offset(f, t, (unsigned)i + 1) <= *offset)
        i++;
    }
    if (i >= n)
      break;
    LLVMTypeRef field = type_field(t, (unsigned)i);
    uint64_t at = type_field_offset(f, t, (unsigned)i);
    if (*offset < at || *offset + size > at + type_size(f, field))
      break;
    t = field;
    *offset -= at;
  }
  return t;
}

bool type_cut_leaves(const leaf_list *all, uint64_t total, uint64_t skip,
                     uint64_t size, leaf_list *out) {
  uint32_t first = out->len;
  bool good = total >= skip + size;
  for (uint32_t i = 0; good && i < all->len; i++) {
    struct leaf leaf = all->at[i];
    if (leaf.offset + leaf.size <= skip || leaf.offset >= skip + size)
      continue;
    good = leaf.offset >= skip && leaf.offset + leaf.size <= skip + size;
    leaf.offset -= skip;
    array_push(out, leaf);
  }
  good = good && out->len > first;
  if (!good)
    out->len = first;
  return good;
}

bool type_gep_offset(const struct front *f, LLVMValueRef gep, uint64_t *ret) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  uint64_t offset = 0;
  if (!LLVMTypeIsSized(t)) // which bitcode can say, and the verifier allows
    return false;
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    LLVMValueRef operand = LLVMGetOperand(gep, i);
    if (!LLVMIsAConstantInt(operand))
      return false;
    int64_t index = LLVMConstIntGetSExtValue(operand);
    if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      offset += type_field_offset(f, t, (unsigned)index);
      t = type_field(t, (unsigned)index);
      continue;
    }
    if (i > 1)
      t = LLVMGetElementType(t);
    offset += (uint64_t)index * type_size(f, t);
  }
  *ret = offset;
  return true;
}
