// SPDX-License-Identifier: MIT
// The types of the source as LLVM's debug information has them: how to walk
// them, their scalar leaves, and their copies in the program for reports.
#include "front/names/debug.h"

#include <stdio.h>
#include <string.h>

enum { // DWARF's tags
  TAG_ARRAY = 0x01,
  TAG_CLASS = 0x02,
  TAG_ENUM = 0x04,
  TAG_MEMBER = 0x0d,
  TAG_POINTER = 0x0f,
  TAG_REFERENCE = 0x10,
  TAG_STRUCT = 0x13,
  TAG_TYPEDEF = 0x16,
  TAG_UNION = 0x17,
  TAG_INHERITANCE = 0x1c,
  TAG_BASE = 0x24,
  TAG_CONST = 0x26,
  TAG_VOLATILE = 0x35,
  TAG_RESTRICT = 0x37,
  TAG_RVALUE_REFERENCE = 0x42,
  TAG_ATOMIC = 0x47,
};

// -- operands of metadata

unsigned debug_operands(struct front *f, LLVMMetadataRef md,
                        LLVMValueRef out[DEBUG_MAX_OPERANDS]) {
  LLVMValueRef v = LLVMMetadataAsValue(f->context, md);
  unsigned n = LLVMGetMDNodeNumOperands(v);
  if (n > DEBUG_MAX_OPERANDS)
    return 0;
  LLVMGetMDNodeOperands(v, out);
  return n;
}

static bool is_type_kind(LLVMMetadataKind k) {
  return k == LLVMDIBasicTypeMetadataKind ||
         k == LLVMDIDerivedTypeMetadataKind ||
         k == LLVMDICompositeTypeMetadataKind ||
         k == LLVMDISubroutineTypeMetadataKind;
}

// The first operand from index 3 on that is a type (or a list): where LLVM
// keeps base types, types of variables and lists of members.
static LLVMMetadataRef operand_from_3(struct front *f, LLVMMetadataRef md,
                                      bool list) {
  LLVMValueRef ops[DEBUG_MAX_OPERANDS];
  unsigned n = debug_operands(f, md, ops);
  for (unsigned i = 3; i < n; i++) {
    if (!ops[i] || !LLVMIsAMDNode(ops[i]))
      continue;
    LLVMMetadataRef o = LLVMValueAsMetadata(ops[i]);
    LLVMMetadataKind k = LLVMGetMetadataKind(o);
    if (list ? k == LLVMMDTupleMetadataKind : is_type_kind(k))
      return o;
  }
  return NULL;
}

LLVMMetadataRef debug_base(struct front *f, LLVMMetadataRef md) {
  return operand_from_3(f, md, /*list=*/false);
}

LLVMMetadataRef debug_list(struct front *f, LLVMMetadataRef md) {
  return operand_from_3(f, md, /*list=*/true);
}

uint32_t debug_name(struct front *f, LLVMMetadataRef variable) {
  LLVMValueRef ops[DEBUG_MAX_OPERANDS];
  unsigned n = debug_operands(f, variable, ops), len;
  const char *text = n > 1 && ops[1] && LLVMIsAMDString(ops[1])
                         ? LLVMGetMDString(ops[1], &len)
                         : NULL;
  return text ? debug_string(f, text, len) : 0;
}

uint32_t debug_string(struct front *f, const char *text, size_t len) {
  char copy[512];
  if (len >= sizeof copy)
    len = sizeof copy - 1;
  memcpy(copy, text, len);
  copy[len] = 0;
  return prog_string(f->prog, copy);
}

LLVMMetadataRef debug_file(LLVMMetadataRef scope) {
  LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
  // LLVM's verifier does not look at the files of blocks.
  return file && LLVMGetMetadataKind(file) == LLVMDIFileMetadataKind ? file
                                                                     : NULL;
}

// -- types. An array of several dimensions is one node; `dim` says how many of
// them were indexed already.

static unsigned tag_of(LLVMMetadataRef md) {
  return md ? LLVMGetDINodeTag(md) : 0;
}

static struct ditype type_at_depth(struct front *f, LLVMMetadataRef md,
                                   unsigned depth) {
  for (; depth < DEBUG_MAX_DEPTH; depth++) {
    switch (tag_of(md)) {
    case TAG_TYPEDEF:
    case TAG_CONST:
    case TAG_VOLATILE:
    case TAG_RESTRICT:
    case TAG_ATOMIC:
      md = debug_base(f, md);
      break;
    default:
      return (struct ditype){.md = md, .depth = depth};
    }
  }
  return (struct ditype){0};
}

struct ditype debug_type(struct front *f, LLVMMetadataRef md) {
  return type_at_depth(f, md, 0);
}

bool debug_is_pointer(struct ditype t) {
  return tag_of(t.md) == TAG_POINTER;
}

bool debug_is_struct(struct ditype t) {
  return tag_of(t.md) == TAG_STRUCT || tag_of(t.md) == TAG_UNION ||
         tag_of(t.md) == TAG_CLASS;
}

bool debug_is_union(struct ditype t) {
  return tag_of(t.md) == TAG_UNION;
}

bool debug_is_array(struct ditype t) {
  return tag_of(t.md) == TAG_ARRAY;
}

struct ditype debug_pointee(struct front *f, struct ditype t) {
  LLVMMetadataRef base = debug_base(f, t.md);
  return base ? type_at_depth(f, base, t.depth + 1) : (struct ditype){0};
}

// The sizes of an array's dimensions; 0 for an unknown one.
static unsigned dimensions(struct front *f, LLVMMetadataRef array,
                           uint64_t out[DEBUG_MAX_OPERANDS]) {
  LLVMValueRef ops[DEBUG_MAX_OPERANDS], range[DEBUG_MAX_OPERANDS];
  LLVMMetadataRef list = debug_list(f, array);
  unsigned n = list ? debug_operands(f, list, ops) : 0;
  for (unsigned i = 0; i < n; i++) {
    out[i] = 0;
    if (ops[i] && debug_operands(f, LLVMValueAsMetadata(ops[i]), range) &&
        range[0] && LLVMIsAConstantInt(range[0]) &&
        LLVMConstIntGetSExtValue(range[0]) > 0)
      out[i] = LLVMConstIntGetZExtValue(range[0]);
  }
  return n;
}

struct ditype debug_element(struct front *f, struct ditype t,
                            uint64_t *ret_count) {
  uint64_t dims[DEBUG_MAX_OPERANDS];
  unsigned n = dimensions(f, t.md, dims);
  if (t.dim >= n)
    return (struct ditype){0};
  *ret_count = dims[t.dim];
  if (t.dim + 1 < n)
    return (struct ditype){t.md, t.dim + 1, t.depth};
  return debug_pointee(f, t);
}

uint64_t debug_size(struct front *f, struct ditype t) {
  if (!t.md)
    return 0;
  if (!debug_is_array(t))
    return LLVMDITypeGetSizeInBits(t.md) / 8;
  uint64_t count;
  struct ditype element = debug_element(f, t, &count);
  return count * debug_size(f, element);
}

static bool is_empty(struct front *f, struct ditype t) {
  member_list members = {0};
  debug_members(f, t, &members);
  bool empty = members.len == 0;
  array_done(&members);
  return empty;
}

// Is it a part of each object? A base is one without a name, if its place is
// fixed and anything is there.
static bool is_part(struct front *f, struct ditype t, LLVMMetadataRef m) {
  LLVMDIFlags flags = LLVMDITypeGetFlags(m);
  if (tag_of(m) == TAG_MEMBER)
    return !(flags & LLVMDIFlagStaticMember);
  struct ditype base = {.md = m, .depth = t.depth};
  return tag_of(m) == TAG_INHERITANCE && !(flags & LLVMDIFlagVirtual) &&
         !is_empty(f, debug_pointee(f, base));
}

void debug_members(struct front *f, struct ditype t, member_list *out) {
  LLVMMetadataRef list = debug_list(f, t.md);
  if (!list)
    return;
  LLVMValueRef v = LLVMMetadataAsValue(f->context, list);
  unsigned n = LLVMGetMDNodeNumOperands(v);
  LLVMValueRef *ops = xcalloc(n + 1u, sizeof *ops);
  LLVMGetMDNodeOperands(v, ops);
  for (unsigned i = 0; i < n; i++) {
    LLVMMetadataRef m = ops[i] ? LLVMValueAsMetadata(ops[i]) : NULL;
    if (!is_type_kind(m ? LLVMGetMetadataKind(m) : 0) || !is_part(f, t, m))
      continue;
    size_t len;
    const char *name = LLVMDITypeGetName(m, &len);
    bool bits = LLVMDITypeGetFlags(m) & LLVMDIFlagBitField;
    struct ditype member = {.md = m, .depth = t.depth};
    array_push(out,
               (struct dimember){
                   .name = name ? debug_string(f, name, len) : 0,
                   .type = debug_pointee(f, member),
                   .offset = LLVMDITypeGetOffsetInBits(m) / 8,
                   .is_bitfield = bits,
                   .bit = LLVMDITypeGetOffsetInBits(m) % 8,
                   .bits = bits ? (uint8_t)LLVMDITypeGetSizeInBits(m) : 0});
  }
  free(ops);
}

// -- leaves

static bool struct_leaves(struct front *f, struct ditype t, uint64_t offset,
                          leaf_list *out) {
  if (debug_is_union(t)) {
    uint64_t size = debug_size(f, t);
    array_push(out, (struct leaf){offset, (uint32_t)size, true});
    return size <= UINT32_MAX;
  }
  member_list members = {0};
  debug_members(f, t, &members);
  bool good = members.len > 0; // or two of nothing in two of nothing in ...
  for (uint32_t i = 0; good && i < members.len; i++) {
    const struct dimember *m = &members.at[i];
    good = !m->is_bitfield && debug_leaves(f, m->type, offset + m->offset, out);
  }
  array_done(&members);
  return good;
}

bool debug_leaves(struct front *f, struct ditype t, uint64_t offset,
                  leaf_list *out) {
  if (!t.md || out->len > MAX_LEAVES)
    return false;
  if (debug_is_struct(t))
    return struct_leaves(f, t, offset, out);
  if (debug_is_array(t)) {
    uint64_t count;
    struct ditype element = debug_element(f, t, &count);
    uint64_t size = debug_size(f, element);
    for (uint64_t i = 0; i < count; i++)
      if (!size || !debug_leaves(f, element, offset + i * size, out))
        return false;
    return true;
  }
  uint64_t size = debug_size(f, t);
  if (size != 1 && size != 2 && size != 4 && size != 8)
    return false;
  array_push(out, (struct leaf){offset, (uint32_t)size, false});
  return true;
}

// -- the program's types

static uint32_t type_name(struct front *f, struct ditype t) {
  size_t len = 0;
  const char *name = LLVMDITypeGetName(t.md, &len);
  char text[256];
  const char *kind = tag_of(t.md) == TAG_STRUCT  ? "struct "
                     : tag_of(t.md) == TAG_UNION ? "union "
                                                 : "";
  snprintf(text, sizeof text, "%s%.*s", kind, (int)len, name ? name : "");
  return prog_string(f->prog, text);
}

// The value is not an operand of its node, so its text is read:
// "... = !DIEnumerator(name: "RED", value: -1)".
static bool enumerator(struct front *f, LLVMValueRef node, struct member *ret) {
  char *text = LLVMPrintValueToString(node);
  const char *name = strstr(text, "name: \""), *value = strstr(text, "value: ");
  bool good = name && value && strstr(text, "DIEnumerator(");
  if (good) {
    name += strlen("name: \"");
    *ret = (struct member){
        .name = debug_string(f, name, strcspn(name, "\"")),
        .offset = (uint64_t)strtoll(value + strlen("value: "), NULL, 10)};
    if (strstr(text, "isUnsigned: true"))
      ret->offset = strtoull(value + strlen("value: "), NULL, 10);
  }
  LLVMDisposeMessage(text);
  return good;
}

static void add_enumerators(struct front *f, struct ditype t,
                            struct type *made) {
  LLVMMetadataRef list = debug_list(f, t.md);
  made->first_member = f->prog->members.len;
  if (!list)
    return;
  LLVMValueRef v = LLVMMetadataAsValue(f->context, list);
  unsigned n = LLVMGetMDNodeNumOperands(v);
  LLVMValueRef *ops = xcalloc(n + 1u, sizeof *ops);
  LLVMGetMDNodeOperands(v, ops);
  for (unsigned i = 0; i < n; i++) {
    struct member m;
    if (ops[i] && enumerator(f, ops[i], &m)) {
      array_push(&f->prog->members, m);
      made->members++;
    }
  }
  free(ops);
}

// A pointer or what is one in memory: a reference of C++.
static bool is_address(struct ditype t) {
  return debug_is_pointer(t) || tag_of(t.md) == TAG_REFERENCE ||
         tag_of(t.md) == TAG_RVALUE_REFERENCE;
}

static struct type scalar_type(struct front *f, struct ditype t) {
  uint32_t name = type_name(f, t);
  const char *text = prog_text(f->prog, name);
  bool is_float = strcmp(text, "float") == 0 || strcmp(text, "double") == 0 ||
                  strcmp(text, "_Float16") == 0;
  bool is_unsigned = strstr(text, "unsigned") || strcmp(text, "_Bool") == 0 ||
                     strcmp(text, "bool") == 0;
  struct type made = {.kind = TYPE_SCALAR,
                      .is_pointer = is_address(t),
                      .is_float = is_float,
                      .is_signed = !is_float && !is_unsigned && !is_address(t),
                      .name = name,
                      .size = debug_size(f, t)};
  if (made.is_pointer)
    made.pointee = debug_size(f, debug_pointee(f, t));
  if (tag_of(t.md) == TAG_ENUM)
    add_enumerators(f, t, &made);
  return made;
}

// Members come after their own types, so that a struct's are contiguous.
static struct type struct_type(struct front *f, struct ditype t) {
  member_list members = {0};
  debug_members(f, t, &members);
  ARRAY(struct member) made = {0};
  for (uint32_t i = 0; i < members.len; i++)
    array_push(&made,
               (struct member){.name = members.at[i].name,
                               .type = debug_type_id(f, members.at[i].type),
                               .offset = members.at[i].offset,
                               .bit = members.at[i].bit,
                               .bits = members.at[i].bits});
  struct type result = {.kind = TYPE_STRUCT,
                        .name = type_name(f, t),
                        .size = debug_size(f, t),
                        .first_member = f->prog->members.len,
                        .members = made.len};
  for (uint32_t i = 0; i < made.len; i++)
    array_push(&f->prog->members, made.at[i]);
  array_done(&members);
  array_done(&made);
  return result;
}

type_id debug_type_id(struct front *f, struct ditype t) {
  if (!t.md)
    return 0;
  const uint32_t *known = t.dim ? NULL : ptrmap_find(&f->type_of, t.md);
  if (known)
    return *known;
  struct type made;
  if (debug_is_array(t)) {
    uint64_t count;
    made =
        (struct type){.kind = TYPE_ARRAY,
                      .element = debug_type_id(f, debug_element(f, t, &count)),
                      .size = debug_size(f, t)};
  } else {
    made = debug_is_struct(t) ? struct_type(f, t) : scalar_type(f, t);
  }
  array_push(&f->prog->types, made);
  type_id id = f->prog->types.len - 1;
  if (!t.dim)
    ptrmap_set(&f->type_of, t.md, id);
  return id;
}
