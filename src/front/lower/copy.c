// SPDX-License-Identifier: MIT
// Struct assignments, memcpy, memset. Where the program's types are known,
// each scalar is copied by a load and a store of its own; private memory and
// unknown types are left to the interpreter's OP_copy and OP_fill.
#include "front/lower/lower.h"

enum { MAX_MOVED = 64 }; // leaves that memmove holds in registers at a time

// What lies in shared memory knows best.
static bool copy_leaves(struct lowering *l, const struct copy *c,
                        leaf_list *out) {
  if (c->type)
    return lower_type_leaves(l->f, c->type, 0, c->size, out);
  bool swap = lower_is_private(l, c->to_value);
  LLVMValueRef first = swap ? c->from_value : c->to_value;
  LLVMValueRef second = swap ? c->to_value : c->from_value;
  return lower_declared_leaves(l, first, 0, c->size, out) ||
         lower_declared_leaves(l, second, 0, c->size, out);
}

static uint64_t leaf_access(struct leaf leaf) {
  return imm_access((struct imm_access){.size = (uint8_t)leaf.size});
}

static vreg load_leaf(struct lowering *l, const struct copy *c,
                      struct leaf leaf) {
  vreg part = code_regs(l->c, leaf.size == 16 ? 2 : 1);
  names_access(l->f, c->from_value, leaf.offset, leaf.size, &l->at);
  lower_emit(l, OP_load, part, lower_offset(l, c->from, leaf.offset), 0,
             leaf_access(leaf));
  return part;
}

static void store_leaf(struct lowering *l, const struct copy *c,
                       struct leaf leaf, vreg part) {
  names_access(l->f, c->to_value, leaf.offset, leaf.size, &l->at);
  lower_emit(l, OP_store, lower_offset(l, c->to, leaf.offset), part, 0,
             leaf_access(leaf));
}

// Which member of a union is in use shows only when the program runs.
static void copy_union(struct lowering *l, const struct copy *c,
                       struct leaf leaf) {
  lower_emit(l, OP_copy, lower_offset(l, c->to, leaf.offset),
             lower_offset(l, c->from, leaf.offset), lower_number(l, leaf.size),
             0);
}

static void copy_one_by_one(struct lowering *l, const struct copy *c,
                            const leaf_list *leaves) {
  for (uint32_t i = 0; i < leaves->len; i++) {
    struct leaf leaf = leaves->at[i];
    if (leaf.is_union)
      copy_union(l, c, leaf);
    else
      store_leaf(l, c, leaf, load_leaf(l, c, leaf));
  }
}

// When source and target may overlap, everything is read before anything is
// written.
static void copy_at_once(struct lowering *l, const struct copy *c,
                         const leaf_list *leaves) {
  vreg parts[MAX_MOVED];
  for (uint32_t i = 0; i < leaves->len; i++)
    parts[i] = load_leaf(l, c, leaves->at[i]);
  for (uint32_t i = 0; i < leaves->len; i++)
    store_leaf(l, c, leaves->at[i], parts[i]);
}

static bool fits_at_once(const leaf_list *leaves) {
  for (uint32_t i = 0; i < leaves->len; i++)
    if (leaves->at[i].is_union)
      return false;
  return leaves->len <= MAX_MOVED;
}

// The size of the scalars at a pointer, 0 if the program does not say.
static uint64_t cell_size(struct lowering *l, LLVMValueRef pointer) {
  uint64_t cell = 0;
  for (uint64_t size = 8; size && !cell; size /= 2) {
    leaf_list leaves = {0};
    if (lower_declared_leaves(l, pointer, 0, size, &leaves) &&
        !leaves.at[0].is_union)
      cell = leaves.at[0].size;
    array_done(&leaves);
  }
  return cell;
}

// What OP_copy and OP_fill should take the memory at a pointer for (op.def).
static uint64_t cells_at(struct lowering *l, LLVMValueRef pointer) {
  if (!pointer)
    return 0;
  return cell_size(l, pointer) | (uint64_t)names_struct_type(l->f, pointer)
                                     << 8;
}

static uint64_t copy_cells(struct lowering *l, const struct copy *c) {
  uint64_t cells = cells_at(l, c->to_value);
  return cells ? cells : cells_at(l, c->from_value);
}

void lower_copy(struct lowering *l, const struct copy *c) {
  leaf_list leaves = {0};
  bool silent = lower_is_private(l, c->to_value) &&
                lower_reads_silently(l, c->from_value);
  bool known = !silent && copy_leaves(l, c, &leaves);
  if (known && !c->may_overlap)
    copy_one_by_one(l, c, &leaves);
  else if (known && fits_at_once(&leaves))
    copy_at_once(l, c, &leaves);
  else
    lower_emit(l, OP_copy, c->to, c->from, lower_number(l, c->size),
               silent ? 0 : copy_cells(l, c));
  array_done(&leaves);
}

// The variable that a pointer points into, or NULL.
static LLVMValueRef variable_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer) ||
         (LLVMIsAConstantExpr(pointer) &&
          LLVMGetConstOpcode(pointer) == LLVMGetElementPtr))
    pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAAllocaInst(pointer) || LLVMIsAGlobalVariable(pointer) ? pointer
                                                                      : NULL;
}

// What must not overlap is looked at when the program runs, unless it is clear
// that it does not.
static void check_disjoint(struct lowering *l, const struct copy *c,
                           LLVMValueRef size) {
  LLVMValueRef to = variable_of(c->to_value), from = variable_of(c->from_value);
  if (c->may_overlap || (to && from && to != from))
    return;
  lower_emit(l, OP_disjoint, c->to, c->from, lower_value(l, size), 0);
}

void lower_memcpy(struct lowering *l, LLVMValueRef call, bool may_overlap) {
  LLVMValueRef size = LLVMGetOperand(call, 2);
  struct copy c = {.to_value = LLVMGetOperand(call, 0),
                   .from_value = LLVMGetOperand(call, 1),
                   .may_overlap = may_overlap};
  c.to = lower_value(l, c.to_value);
  c.from = lower_value(l, c.from_value);
  check_disjoint(l, &c, size);
  if (LLVMIsAConstantInt(size)) {
    c.size = LLVMConstIntGetZExtValue(size);
    lower_copy(l, &c);
  } else {
    vreg saved = guards_before(l);
    lower_emit(l, OP_copy, c.to, c.from, lower_value(l, size),
               copy_cells(l, &c));
    guards_after(l, saved);
  }
}

// -- memset

static vreg repeated(struct lowering *l, uint64_t byte, uint32_t size) {
  uint64_t pattern = byte * (uint64_t)0x0101010101010101;
  if (size < 8)
    pattern &= ((uint64_t)1 << size * 8) - 1;
  if (size < 16)
    return lower_number(l, pattern);
  vreg value = code_regs(l->c, 2);
  lower_move(l, value, lower_number(l, pattern), 1);
  lower_move(l, value + 1, lower_number(l, pattern), 1);
  return value;
}

static void fill_part(struct lowering *l, vreg to, uint64_t offset,
                      uint64_t size, vreg value, uint64_t cells) {
  lower_emit(l, OP_fill, lower_offset(l, to, offset), value,
             lower_number(l, size), cells);
}

// Padding is filled too, byte by byte: the program may look at it.
static void fill_leaves(struct lowering *l, const struct copy *c,
                        const leaf_list *leaves, uint64_t byte, vreg value) {
  uint64_t filled = 0;
  for (uint32_t i = 0; i < leaves->len; i++) {
    struct leaf leaf = leaves->at[i];
    if (leaf.offset > filled)
      fill_part(l, c->to, filled, leaf.offset - filled, value, 1);
    if (leaf.is_union)
      fill_part(l, c->to, leaf.offset, leaf.size, value, 0);
    else
      store_leaf(l, c, leaf, repeated(l, byte, leaf.size));
    filled = leaf.offset + leaf.size;
  }
  if (c->size > filled)
    fill_part(l, c->to, filled, c->size - filled, value, 1);
}

void lower_memset(struct lowering *l, LLVMValueRef call) {
  LLVMValueRef to = LLVMGetOperand(call, 0), byte = LLVMGetOperand(call, 1),
               size = LLVMGetOperand(call, 2);
  struct copy c = {.to_value = to, .to = lower_value(l, to)};
  if (LLVMIsAConstantInt(size))
    c.size = LLVMConstIntGetZExtValue(size);
  leaf_list leaves = {0};
  vreg value = lower_value(l, byte);
  if (!lower_is_private(l, to) && LLVMIsAConstantInt(size) &&
      LLVMIsAConstantInt(byte) &&
      lower_declared_leaves(l, to, 0, c.size, &leaves))
    fill_leaves(l, &c, &leaves, LLVMConstIntGetZExtValue(byte), value);
  else {
    vreg saved = guards_before(l);
    lower_emit(l, OP_fill, c.to, value, lower_value(l, size), cells_at(l, to));
    guards_after(l, saved);
  }
  array_done(&leaves);
}
