// SPDX-License-Identifier: MIT
// Locals as fences. On x86 a locked instruction orders everything around it,
// whatever it is applied to, and a single instruction of ARMv8.1 that acquires
// and releases does so too; code uses that, on a local that no other thread
// reaches:
//
//   atomic_int dummy = 0;
//   atomic_compare_exchange_strong(&dummy, &(int){0}, 1);
//
// The local itself stays private memory, like all that does not escape
// (escape.c): were it shared, each call would have an object of its own, and a
// loop with such a fence in it would never come back to a state. Besides, the
// instruction makes an update of a word that belongs to the thread and the
// instruction, which stays 0: an update by nothing leaves no trace in a loop.
//
// That orders no more than the update of the local does. All events of the
// words are of one thread, nothing depends on the values, and so a path of
// order through a word enters it by what orders an earlier event with the
// update, leaves it by what orders the update with a later one, and in between
// goes from an update of the word to a later one of the same word. With an
// update that acquires and releases (or a seq_cst store), what enters the first
// is before the second in po, whose release orders it, and what the second is
// before comes after the first, whose acquire orders it; and that a release
// is before a later acquire of the thread is so for any two locations. Updates
// that do less are relaxed here, whatever they are (under tso all are fences),
// so nothing leaves them. A compare-exchange that fails is one that fails, of
// another word, which nothing ever writes: it comes from the first value, as
// in an object that nobody has written since, and orders by itself alone
// (under tso all that is around it, under power what its order of failure
// says). Loads are left out: that is less order than there is. Whether an
// address is private is no dependency: no other thread can have written it.
#include "front/lower/lower.h"

void own_note(struct front *f, LLVMValueRef inst) {
  if (!ptrmap_find(&f->own_of, inst))
    ptrmap_set(&f->own_of, inst, f->own_of.entries.len);
}

static uint32_t make(struct front *f, uint64_t size, bool is_private) {
  uint32_t index = prog_add_global(f->prog, "a local", size, 8);
  struct global *g = &f->prog->globals.at[index];
  g->is_thread_local = g->is_library = true;
  g->is_private = is_private;
  return index;
}

void own_make_words(struct front *f) {
  if (!f->own_of.entries.len)
    return;
  f->own_words = make(f, 16ull * f->own_of.entries.len, /*is_private=*/false);
  f->own_nothing = make(f, 8, /*is_private=*/true);
}

static vreg copy_of(struct lowering *l, uint32_t global) {
  vreg to = code_reg(l->c);
  lower_emit(l, OP_tls, to, 0, 0, global);
  return to;
}

// The word, or memory of no other use where the pointer is to no such local, or
// the instruction has done something else than it is for.
static vreg pick(struct lowering *l, vreg pointer, uint32_t word, vreg ok,
                 bool if_ok) {
  vreg nothing = copy_of(l, l->f->own_nothing);
  vreg ret = lower_offset(l, copy_of(l, l->f->own_words), 8ull * word);
  if (ok)
    ret = if_ok ? lower_op(l, OP_select, ok, ret, nothing)
                : lower_op(l, OP_select, ok, nothing, ret);
  return lower_op(l, OP_own, pointer, ret, nothing);
}

static void fail(struct lowering *l, vreg word, enum order order,
                 enum order order_fail) {
  struct imm_access how = {
      .size = 8, .order = (uint8_t)order, .order_fail = (uint8_t)order_fail};
  vreg other = lower_number(l, 1); // than is there
  lower_emit(l, OP_cas_load, code_reg(l->c), word, other, imm_access(how));
  lower_emit(l, OP_cas_store, word, other, other, imm_access(how));
}

void own_order(struct lowering *l, LLVMValueRef inst, vreg pointer, vreg ok,
               enum order order, enum order order_fail) {
  const uint32_t *n = ptrmap_find(&l->f->own_of, inst);
  if (!n)
    return;
  bool is_update = !LLVMIsAStoreInst(inst);
  struct imm_access how = {.size = 8, .order = (uint8_t)order};
  if (is_update && order != ORD_ACQREL && order != ORD_SC)
    how.order = ORD_RLX;
  vreg word = pick(l, pointer, 2 * *n, ok, /*if_ok=*/true);
  vreg value = is_update ? code_reg(l->c) : lower_number(l, 0);
  if (is_update)
    lower_emit(l, OP_rmw_load, value, word, 0, imm_access(how));
  lower_emit(l, is_update ? OP_rmw_store : OP_store, word, value, 0,
             imm_access(how));
  if (ok)
    fail(l, pick(l, pointer, 2 * *n + 1, ok, /*if_ok=*/false), order,
         order_fail);
}
