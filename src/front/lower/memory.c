// SPDX-License-Identifier: MIT
// Loads, stores, locals. What may lie in shared memory is accessed by the
// scalars that the source declares, never by the larger integers into which
// the calling convention packs several of them: those would be one event where
// the program has several.
#include "front/lower/lower.h"

#include <string.h>

static bool is_access_size(uint64_t size) {
  return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

// -- scalars

// A piece of 16 bytes has two slots, so it can be the whole only.
static bool are_access_sizes(const leaf_list *pieces) {
  for (uint32_t i = 0; i < pieces->len; i++)
    if (!is_access_size(pieces->at[i].size) ||
        (pieces->len > 1 && pieces->at[i].size == 16))
      return false;
  return true;
}

// The pieces in which an integer of `size` bytes at a pointer is accessed.
static void integer_pieces(struct lowering *l, LLVMValueRef pointer,
                           uint64_t offset, uint64_t size, leaf_list *out) {
  if (size > 1 && !lower_is_private(l, pointer) &&
      lower_packed_leaves(l, pointer, offset, size, out)) {
    if (are_access_sizes(out))
      return;
    out->len = 0;
  }
  for (uint64_t at = 0; at < size;) {
    uint32_t piece = size == 16 ? 16 : 8;
    while (piece > size - at)
      piece /= 2;
    array_push(out, (struct leaf){at, piece, false});
    at += piece;
  }
}

// Where the byte at `offset` of a value is: slot and shift.
static vreg piece_slot(vreg first, uint64_t offset) {
  return first + (vreg)(offset / 8);
}

struct memory { // one load or store
  LLVMValueRef pointer;
  vreg address;
  uint64_t offset; // of the part that is accessed
  uint8_t order;   // enum order
  bool is_volatile;
};

// `*` stands for any text, `?` for one character.
static bool matches_pattern(const char *pattern, const char *text) {
  if (*pattern == '*')
    return matches_pattern(pattern + 1, text) ||
           (*text && matches_pattern(pattern, text + 1));
  if (!*pattern || !*text)
    return *pattern == *text;
  return (*pattern == '?' || *pattern == *text) &&
         matches_pattern(pattern + 1, text + 1);
}

// Does the user want what `l->at` names to be taken as atomic?
static bool is_assumed_atomic(const struct lowering *l) {
  const struct front_options *o = l->f->options;
  const char *name = prog_text(l->f->prog, l->at.text);
  const char *file = prog_text(l->f->prog, l->at.file);
  const char *slash = strrchr(file, '/');
  for (unsigned i = 0; i < o->nassume_atomic; i++) {
    const char *pattern = o->assume_atomic[i];
    if (matches_pattern(pattern, name) || matches_pattern(pattern, file) ||
        (slash && matches_pattern(pattern, slash + 1)))
      return true;
  }
  return false;
}

// An ordinary access that the user wants to be a relaxed one. Only the program
// itself is meant, not rt/, and what no atomic access could be stays as it is.
static bool is_relaxed(const struct lowering *l, const struct memory *m,
                       struct leaf leaf) {
  const struct front_options *o = l->f->options;
  bool is_access = LLVMIsALoadInst(l->inst) || LLVMIsAStoreInst(l->inst);
  if (m->order != ORD_NA || l->c->is_library || !is_access ||
      !is_access_size(leaf.size) || LLVMGetAlignment(l->inst) < leaf.size)
    return false;
  return (m->is_volatile && o->volatile_is_relaxed) || is_assumed_atomic(l);
}

// The piece of `m` at `offset`: its address and how it is accessed.
static vreg piece(struct lowering *l, const struct memory *m, struct leaf leaf,
                  uint64_t *ret_imm) {
  uint64_t offset = m->offset + leaf.offset;
  names_access(l->f, m->pointer, offset, leaf.size, &l->at);
  uint8_t order = is_relaxed(l, m, leaf) ? ORD_RLX : m->order;
  *ret_imm = imm_access((struct imm_access){.size = (uint8_t)leaf.size,
                                            .order = order,
                                            .is_volatile = m->is_volatile});
  return lower_offset(l, m->address, offset);
}

static void glue(struct lowering *l, vreg to, const struct memory *m,
                 const leaf_list *pieces, uint32_t slots) {
  for (uint32_t i = 0; i < slots; i++)
    lower_move(l, to + i, lower_number(l, 0), 1);
  for (uint32_t i = 0; i < pieces->len; i++) {
    struct leaf p = pieces->at[i];
    uint64_t imm, shift = p.offset % 8 * 8;
    vreg address = piece(l, m, p, &imm), slot = piece_slot(to, p.offset);
    vreg part = lower_op(l, OP_load, address, 0, imm);
    if (shift)
      part = lower_op(l, OP_shl, part, lower_number(l, shift), 64);
    lower_emit(l, OP_or, slot, slot, part, 0);
  }
}

static void unglue(struct lowering *l, vreg from, const struct memory *m,
                   const leaf_list *pieces) {
  for (uint32_t i = 0; i < pieces->len; i++) {
    struct leaf p = pieces->at[i];
    uint64_t imm, shift = p.offset % 8 * 8;
    vreg address = piece(l, m, p, &imm), part = piece_slot(from, p.offset);
    if (shift)
      part = lower_op(l, OP_lshr, part, lower_number(l, shift), 64);
    if (p.size < 8)
      part = lower_op(l, OP_trunc, part, 0, p.size * 8);
    lower_emit(l, OP_store, address, part, 0, imm);
  }
}

// In which pieces a scalar is accessed.
static void scalar_pieces(struct lowering *l, const struct memory *m,
                          uint64_t size, leaf_list *out) {
  if (m->order == ORD_NA) {
    integer_pieces(l, m->pointer, m->offset, size, out);
    return;
  }
  if (!is_access_size(size))
    lower_refuse(l, "an atomic access of %u bytes is not supported",
                 (unsigned)size);
  array_push(out, (struct leaf){0, (uint32_t)size, false});
}

static bool is_single(const leaf_list *pieces, uint64_t size) {
  return pieces->len == 1 && pieces->at[0].offset == 0 &&
         pieces->at[0].size == size;
}

static void load_scalar(struct lowering *l, vreg to, LLVMTypeRef t,
                        const struct memory *m) {
  unsigned width = type_width(t);
  uint64_t size = (width + 7) / 8, imm;
  leaf_list pieces = {0};
  scalar_pieces(l, m, size, &pieces);
  if (is_single(&pieces, size)) {
    vreg address = piece(l, m, pieces.at[0], &imm);
    lower_emit(l, OP_load, to, address, 0, imm);
  } else {
    glue(l, to, m, &pieces, type_slots(t));
  }
  vreg top = to + type_slots(t) - 1;
  if (width % 8)
    lower_emit(l, OP_trunc, top, top, 0, width % 64);
  array_done(&pieces);
}

static void store_scalar(struct lowering *l, vreg from, LLVMTypeRef t,
                         const struct memory *m) {
  uint64_t size = (type_width(t) + 7) / 8, imm;
  leaf_list pieces = {0};
  scalar_pieces(l, m, size, &pieces);
  if (is_single(&pieces, size)) {
    vreg address = piece(l, m, pieces.at[0], &imm);
    lower_emit(l, OP_store, address, from, 0, imm);
  } else {
    unglue(l, from, m, &pieces);
  }
  array_done(&pieces);
}

// Aggregates go part by part.
static void transfer(struct lowering *l, vreg value, LLVMTypeRef t,
                     struct memory m, bool is_store) {
  if (!type_is_aggregate(t)) {
    if (is_store)
      store_scalar(l, value, t, &m);
    else
      load_scalar(l, value, t, &m);
    return;
  }
  uint64_t base = m.offset;
  for (unsigned i = 0; i < type_fields(t); i++) {
    m.offset = base + type_field_offset(l->f, t, i);
    transfer(l, value, type_field(t, i), m, is_store);
    value += type_slots(type_field(t, i));
  }
}

static bool is_promoted(const struct lowering *l, LLVMValueRef pointer) {
  return LLVMIsAAllocaInst(pointer) &&
         lower_place(l, pointer) == PLACE_REGISTERS;
}

void lower_read(struct lowering *l, vreg to, LLVMTypeRef t,
                LLVMValueRef pointer, struct imm_access how) {
  vreg address = lower_value(l, pointer);
  if (is_promoted(l, pointer)) {
    lower_move(l, to, address, type_slots(t));
    return;
  }
  struct memory m = {pointer, address, 0, how.order, how.is_volatile};
  transfer(l, to, t, m, /*is_store=*/false);
}

void lower_write(struct lowering *l, vreg from, LLVMTypeRef t,
                 LLVMValueRef pointer, struct imm_access how) {
  vreg address = lower_value(l, pointer);
  if (is_promoted(l, pointer)) {
    lower_move(l, address, from, type_slots(t));
    return;
  }
  struct memory m = {pointer, address, 0, how.order, how.is_volatile};
  transfer(l, from, t, m, /*is_store=*/true);
}

static struct imm_access access_of(LLVMValueRef inst) {
  return (struct imm_access){.order =
                                 (uint8_t)lower_order(LLVMGetOrdering(inst)),
                             .is_volatile = LLVMGetVolatile(inst) != 0};
}

// Lanes of one bit have no bytes of their own.
static bool check_lanes(struct lowering *l, LLVMTypeRef t) {
  return !type_is_lanes(t) || type_width(LLVMGetElementType(t)) > 1 ||
         lower_refuse(l, "vectors of bits in memory are not supported");
}

void lower_load(struct lowering *l, LLVMValueRef inst) {
  vreg to = lower_result(l, inst);
  LLVMValueRef at = LLVMGetOperand(inst, 0);
  check_lanes(l, LLVMTypeOf(inst));
  if (question_is(at))
    lower_move(l, to, lower_number(l, question_answer(l->f, at)), 1);
  else if (!l->f->failed)
    lower_read(l, to, LLVMTypeOf(inst), at, access_of(inst));
}

void lower_store(struct lowering *l, LLVMValueRef inst) {
  LLVMValueRef value = LLVMGetOperand(inst, 0);
  vreg from = lower_value(l, value);
  check_lanes(l, LLVMTypeOf(value));
  if (!l->f->failed)
    lower_write(l, from, LLVMTypeOf(value), LLVMGetOperand(inst, 1),
                access_of(inst));
  own_order(l, inst, lower_value(l, LLVMGetOperand(inst, 1)), 0, ORD_SC,
            ORD_NA);
}

// -- locals

static bool is_entry_block(LLVMValueRef inst) {
  LLVMBasicBlockRef b = LLVMGetInstructionParent(inst);
  return b == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(b));
}

static vreg alloca_size(struct lowering *l, LLVMValueRef inst) {
  LLVMValueRef count = LLVMGetOperand(inst, 0);
  uint64_t size = type_size(l->f, LLVMGetAllocatedType(inst));
  if (LLVMIsAConstantInt(count))
    return lower_number(l, size * LLVMConstIntGetZExtValue(count));
  vreg n = lower_value(l, count);
  return size == 1 ? n : lower_op(l, OP_mul, n, lower_number(l, size), 64);
}

// Locals that come to life outside of the entry block may not exist yet when
// the function returns: null says so.
void lower_late_object(struct lowering *l, LLVMValueRef inst) {
  if (lower_place(l, inst) != PLACE_SHARED || is_entry_block(inst))
    return;
  vreg object = lower_result(l, inst);
  lower_move(l, object, lower_number(l, 0), 1);
  array_push(&l->late_objects, object);
}

void lower_stack_object(struct lowering *l, LLVMValueRef alloca) {
  l->at.text = names_lvalue(l->f, alloca, 0, 0);
  l->at.made = names_struct_type(l->f, alloca);
  lower_emit(l, OP_stack_new, lower_result(l, alloca), alloca_size(l, alloca),
             0, LLVMGetAlignment(alloca));
  l->at.made = 0;
}

void lower_alloca(struct lowering *l, LLVMValueRef inst) {
  enum place place = lower_place(l, inst);
  if (place == PLACE_REGISTERS) {
    LLVMTypeRef t = LLVMGetAllocatedType(inst);
    vreg variable = code_regs(l->c, type_slots(t));
    ptrmap_set(&l->values, inst, variable);
    lower_undef(l, variable, t);
    return;
  }
  if (place == PLACE_PRIVATE) {
    lower_emit(l, OP_local, lower_result(l, inst), alloca_size(l, inst), 0,
               LLVMGetAlignment(inst));
    return;
  }
  if (is_entry_block(inst) && scope_of(l, inst) == SCOPE_BLOCK)
    return; // its scope makes it
  lower_stack_object(l, inst);
  if (is_entry_block(inst))
    array_push(&l->stack_objects, lower_result(l, inst));
}
