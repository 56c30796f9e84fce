// SPDX-License-Identifier: MIT
// What a branch guards. To most models everything after a branch depends on it;
// to that of the Linux kernel only what is done or not because of it, up to
// where the ways meet again. So in programs that include <lkmm.h>, and in all
// others for a model that asks (model.h: has_guards), the branches so far are
// remembered before a branch and put back where its ways meet (ctrl_save,
// ctrl_restore), which no other model notices.
//
// The ways of a block meet in its immediate post-dominator. A thread is in the
// *region* of such a place from the first branch that meets there until it
// comes there. What it had branched on when it entered the region is put back:
// where several branches meet in one place, as those of `a && b` do and those
// of all rounds of a loop, the first one counts. (Regions are nested: all ways
// from a branch come to where it meets, so what branches within the region
// meets there or before.)
//
// Mostly one block can save for a region: the first of its branches, which
// dominates the others, or what leads into a loop that is left there (so that
// all rounds begin in the same state). Whether that is right is looked at by
// following all ways (saves_in_time). Where it is not, as with gotos into a
// loop, the program itself notes whether it is in the region.
//
// Too little that is put back would be too much that is ordered, and lose
// executions.
//
// A loop that is never left meets nothing; but every round comes to its
// beginning, so that counts as a way out.
#include "front/lower/lower.h"
#include "front/passes/rows.h"

#include <stdlib.h>
#include <string.h>

// Finding (post-)dominators takes seconds then. To let all that follows a
// branch depend on it would lose executions, so larger functions are refused.
enum { MAX_BLOCKS = 1000 };

struct flow {
  uint32_t n;
  LLVMBasicBlockRef *blocks;
  struct ptrmap index;      // 1 + index
  struct rows dom, postdom; // by block: those that (post-)dominate it
  uint64_t *leaves;         // blocks that lead out of the function
  uint64_t *loop, *found;   // scratch: blocks of a loop, and others
};

static uint32_t index_of(const struct flow *f, LLVMBasicBlockRef b) {
  return *ptrmap_find(&f->index, b) - 1;
}

static unsigned ways(const struct flow *f, uint32_t b) {
  return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(f->blocks[b]));
}

static uint32_t way(const struct flow *f, uint32_t b, unsigned i) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(f->blocks[b]);
  return index_of(f, LLVMGetSuccessor(last, i));
}

// -- ways out

// Fills f->found with the block and what comes after it.
static void find_reached(struct flow *f, uint32_t from) {
  memset(f->found, 0, f->dom.words * sizeof *f->found);
  bit_add(f->found, from);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->n; b++)
      for (unsigned i = 0; bit_has(f->found, b) && i < ways(f, b); i++)
        if (!bit_has(f->found, way(f, b, i))) {
          bit_add(f->found, way(f, b, i));
          changed = true;
        }
  }
}

// Adds to f->loop the blocks that lead to those in it.
static void add_leading_there(struct flow *f) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->n; b++)
      for (unsigned i = 0; i < ways(f, b) && !bit_has(f->loop, b); i++)
        if (bit_has(f->loop, way(f, b, i))) {
          bit_add(f->loop, b);
          changed = true;
        }
  }
}

// Does a loop begin at `head` that is entered there alone and never left, also
// for another such loop?
static bool begins_endless(struct flow *f, uint32_t head) {
  memset(f->loop, 0, f->dom.words * sizeof *f->loop);
  bit_add(f->loop, head);
  add_leading_there(f);
  find_reached(f, head);
  for (uint32_t b = 0; b < f->n; b++)
    if (bit_has(f->found, b) &&
        (!bit_has(f->loop, b) || !row_has(&f->dom, b, head) || !ways(f, b)))
      return false;
  return true;
}

// False: there is a loop without end that is entered in several places.
static bool find_leaves(struct flow *f) {
  for (uint32_t b = 0; b < f->n; b++)
    if (!ways(f, b) || begins_endless(f, b))
      bit_add(f->leaves, b);
  memcpy(f->loop, f->leaves, f->dom.words * sizeof *f->loop);
  add_leading_there(f);
  find_reached(f, 0);
  for (uint32_t w = 0; w < f->dom.words; w++)
    if (f->found[w] & ~f->loop[w])
      return false;
  return true;
}

// -- dominators

static void find_dominators(struct flow *f) {
  row_only_itself(&f->dom, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->n; b++)
      for (unsigned i = 0; i < ways(f, b); i++)
        changed |= row_meet(&f->dom, way(f, b, i), b);
  }
}

static void find_postdominators(struct flow *f) {
  for (uint32_t b = 0; b < f->n; b++)
    if (bit_has(f->leaves, b))
      row_only_itself(&f->postdom, b);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->n; b++)
      for (unsigned i = 0; i < ways(f, b); i++)
        changed |= row_meet(&f->postdom, b, way(f, b, i));
  }
}

static bool is_branch(const struct flow *f, uint32_t b) {
  for (unsigned i = 1; i < ways(f, b); i++)
    if (way(f, b, i) != way(f, b, 0))
      return true;
  return false;
}

// -- loops

// Fills f->loop with the loop of `head`; false if it is none.
static bool find_loop(struct flow *f, uint32_t head) {
  bool is_loop = false;
  memset(f->loop, 0, f->dom.words * sizeof *f->loop);
  bit_add(f->loop, head);
  for (uint32_t b = 0; b < f->n; b++)
    for (unsigned i = 0; i < ways(f, b); i++)
      if (way(f, b, i) == head && row_has(&f->dom, b, head)) {
        bit_add(f->loop, b);
        is_loop = true;
      }
  for (bool changed = is_loop; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->n; b++)
      for (unsigned i = 0; i < ways(f, b) && !bit_has(f->loop, b); i++)
        if (way(f, b, i) != head && bit_has(f->loop, way(f, b, i))) {
          bit_add(f->loop, b);
          changed = true;
        }
  }
  return is_loop;
}

// The block from which the loop in f->loop is entered, if there is one and it
// leads nowhere else; else f->n.
static uint32_t entry(const struct flow *f, uint32_t head) {
  uint32_t found = f->n;
  for (uint32_t b = 0; b < f->n; b++)
    for (unsigned i = 0; i < ways(f, b); i++)
      if (way(f, b, i) == head && !bit_has(f->loop, b)) {
        if (found != f->n || ways(f, b) != 1)
          return f->n;
        found = b;
      }
  return found;
}

// The block at whose end it is known what to put back in block `at`, for a
// branch of b; f->n: there is none.
static uint32_t saving(struct flow *f, uint32_t b, uint32_t at) {
  uint32_t outermost = f->n;
  for (uint32_t head = 0; head < f->n; head++)
    if (row_has(&f->dom, b, head) && find_loop(f, head) &&
        bit_has(f->loop, b) && !bit_has(f->loop, at) &&
        (outermost == f->n || row_has(&f->dom, outermost, head)))
      outermost = head;
  if (outermost == f->n)
    return b;
  find_loop(f, outermost);
  return entry(f, outermost);
}

// -- all branches

// The branch that meets in `at` and comes before all others that do.
static uint32_t first_branch(const struct flow *f, const uint32_t *meets,
                             uint32_t at) {
  uint32_t first = f->n;
  for (uint32_t b = 0; b < f->n; b++)
    if (meets[b] == at && (first == f->n || row_has(&f->dom, first, b)))
      first = b;
  for (uint32_t b = 0; b < f->n; b++)
    if (meets[b] == at && !row_has(&f->dom, b, first))
      return f->n;
  return first;
}

// Where a thread may be, for one place where branches meet: outside of its
// region, there with the right branches saved, on its way there, or inside with
// others.
enum { OUTSIDE = 1, SAVED = 2, INSIDE = 4, WRONG = 8 };

static unsigned behind(unsigned where, bool saves, bool enters) {
  if (saves)
    where = (where & (OUTSIDE | SAVED) ? SAVED : 0) |
            (where & (INSIDE | WRONG) ? WRONG : 0);
  if (enters)
    where = (where & (SAVED | INSIDE) ? INSIDE : 0) |
            (where & (OUTSIDE | WRONG) ? WRONG : 0);
  return where;
}

// If block `save` saves, is that the right thing whenever a thread comes to
// `at`?
static bool saves_in_time(const struct flow *f, const uint32_t *meets,
                          uint32_t at, uint32_t save) {
  uint8_t *where = xcalloc(f->n, 1);
  where[0] = OUTSIDE;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->n; b++) {
      unsigned to = b == at && where[b] ? OUTSIDE : where[b];
      to = behind(to, b == save, meets[b] == at);
      for (unsigned i = 0; i < ways(f, b); i++) {
        changed |= (to & ~where[way(f, b, i)]) != 0;
        where[way(f, b, i)] |= (uint8_t)to;
      }
    }
  }
  bool ok = !(where[at] & ~INSIDE);
  free(where);
  return ok;
}

// The program notes whether it is in the region, in the first of two registers.
static void put_region(struct lowering *l, const struct flow *f,
                       const uint32_t *meets, uint32_t at) {
  vreg region = code_regs(l->c, 2);
  array_push(&l->regions, region);
  ptrmap_set(&l->leaves, f->blocks[at], region);
  for (uint32_t b = 0; b < f->n; b++)
    if (meets[b] == at)
      ptrmap_set(&l->enters, f->blocks[b], region);
}

static void put_guards(struct lowering *l, struct flow *f) {
  uint32_t *meets = xcalloc(f->n, sizeof *meets);
  bool *is_met = xcalloc(f->n + 1, sizeof *is_met);
  for (uint32_t b = 0; b < f->n; b++) {
    meets[b] = is_branch(f, b) ? row_nearest(&f->postdom, b) : f->n;
    is_met[meets[b]] = true;
  }
  for (uint32_t at = 0; at < f->n; at++) {
    if (!is_met[at])
      continue;
    uint32_t first = first_branch(f, meets, at);
    uint32_t save = first == f->n ? f->n : saving(f, first, at);
    if (save == f->n || !saves_in_time(f, meets, at, save)) {
      put_region(l, f, meets, at);
      continue;
    }
    const uint32_t *known = ptrmap_find(&l->saves, f->blocks[save]);
    vreg saved = known ? *known : code_reg(l->c);
    ptrmap_set(&l->saves, f->blocks[save], saved);
    ptrmap_set(&l->restores, f->blocks[at], saved);
  }
  free(is_met);
  free(meets);
}

static void find_in(struct lowering *l, struct flow *f) {
  find_dominators(f);
  if (!find_leaves(f)) {
    l->no_guards = "in a loop without end that is entered in several places";
    return;
  }
  find_postdominators(f);
  put_guards(l, f);
}

static bool are_of_interest(const struct lowering *l) {
  return l->f->has_guards || l->f->options->has_guards;
}

void guards_find(struct lowering *l) {
  struct flow f = {0};
  if (!are_of_interest(l))
    return;
  f.n = LLVMCountBasicBlocks(l->fn->llvm);
  if (f.n > MAX_BLOCKS) {
    l->no_guards = "in a function of more than 1000 blocks";
    return;
  }
  f.blocks = xcalloc(f.n, sizeof(LLVMBasicBlockRef));
  LLVMGetBasicBlocks(l->fn->llvm, f.blocks);
  for (uint32_t b = 0; b < f.n; b++)
    ptrmap_set(&f.index, f.blocks[b], b + 1);
  f.dom = rows_full(f.n);
  f.postdom = rows_full(f.n);
  f.leaves = xcalloc(f.dom.words, sizeof *f.leaves);
  f.loop = xcalloc(f.dom.words, sizeof *f.loop);
  f.found = xcalloc(f.dom.words, sizeof *f.found);
  find_in(l, &f);
  ptrmap_done(&f.index);
  free(f.blocks);
  free(f.dom.at);
  free(f.postdom.at);
  free(f.leaves);
  free(f.loop);
  free(f.found);
}

vreg guards_before(struct lowering *l) {
  if (!are_of_interest(l))
    return 0;
  vreg saved = code_reg(l->c);
  lower_emit(l, OP_sys, saved, 0, call_slots(0, 1), BI_ctrl_save);
  return saved;
}

void guards_after(struct lowering *l, vreg saved) {
  if (are_of_interest(l))
    lower_emit(l, OP_sys, 0, saved, call_slots(1, 0), BI_ctrl_restore);
}

static void begin_function(struct lowering *l) {
  if (l->no_guards)
    lower_unsupported(l, "what branches guard %s, which this model asks for",
                      l->no_guards);
  for (uint32_t i = 0; i < l->regions.len; i++)
    lower_move(l, l->regions.at[i], lower_number(l, 0), 1);
}

static void leave_region(struct lowering *l, vreg region) {
  label_id inside = code_label(l->c), outside = code_label(l->c);
  lower_emit(l, OP_br, region, 0, 0, imm_targets(inside, outside));
  code_place(l->c, inside);
  guards_after(l, region + 1);
  lower_move(l, region, lower_number(l, 0), 1);
  code_place(l->c, outside);
}

static void enter_region(struct lowering *l, vreg region) {
  label_id inside = code_label(l->c), outside = code_label(l->c);
  lower_emit(l, OP_br, region, 0, 0, imm_targets(inside, outside));
  code_place(l->c, outside);
  lower_emit(l, OP_sys, region + 1, 0, call_slots(0, 1), BI_ctrl_save);
  lower_move(l, region, lower_number(l, 1), 1);
  code_place(l->c, inside);
}

void guards_begin(struct lowering *l, LLVMBasicBlockRef b) {
  if (b == LLVMGetEntryBasicBlock(l->fn->llvm))
    begin_function(l);
  const uint32_t *saved = ptrmap_find(&l->restores, b),
                 *region = ptrmap_find(&l->leaves, b);
  if (saved)
    guards_after(l, *saved);
  if (region)
    leave_region(l, *region);
}

void guards_end(struct lowering *l, LLVMBasicBlockRef b) {
  const uint32_t *saved = ptrmap_find(&l->saves, b),
                 *region = ptrmap_find(&l->enters, b);
  if (saved)
    lower_emit(l, OP_sys, *saved, 0, call_slots(0, 1), BI_ctrl_save);
  if (region)
    enter_region(l, *region);
}
