// SPDX-License-Identifier: MIT
// What a branch guards. To most models everything after a branch depends on it;
// to that of the Linux kernel only what is done or not because of it, up to
// where the two ways meet again. So in programs that include <lkmm.h>, and
// in all others for a model that asks (model.h: has_guards), the branches so
// far are remembered before a branch and put back where its ways meet
// (ctrl_save, ctrl_restore), which no other model notices.
//
// The ways of a block meet in its immediate post-dominator. Several branches
// may meet in one block, as those of `a && b` do: then it is the first of them
// that counts, which dominates the others. If the meeting is outside of a loop
// that the branch is in, every round has branched, and what counts is the time
// before the loop. Where gotos leave no such place, nothing is put back, and
// what follows keeps depending on the branch.
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
  uint64_t *loop;           // scratch: blocks of a loop
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

// -- dominators

static void find_dominators(struct flow *f) {
  f->dom = rows_full(f->n);
  f->postdom = rows_full(f->n);
  row_only_itself(&f->dom, 0);
  for (uint32_t b = 0; b < f->n; b++)
    if (!ways(f, b))
      row_only_itself(&f->postdom, b);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->n; b++)
      for (unsigned i = 0; i < ways(f, b); i++) {
        uint32_t to = way(f, b, i);
        changed |= row_meet(&f->dom, to, b);
        changed |= row_meet(&f->postdom, b, to);
      }
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

static void put_guards(struct lowering *l, struct flow *f) {
  uint32_t *meets = xcalloc(f->n, sizeof *meets);
  for (uint32_t b = 0; b < f->n; b++)
    meets[b] = is_branch(f, b) ? row_nearest(&f->postdom, b) : f->n;
  for (uint32_t at = 0; at < f->n; at++) {
    uint32_t first = first_branch(f, meets, at);
    uint32_t save = first == f->n ? f->n : saving(f, first, at);
    if (save == f->n)
      continue;
    const uint32_t *known = ptrmap_find(&l->saves, f->blocks[save]);
    vreg saved = known ? *known : code_reg(l->c);
    ptrmap_set(&l->saves, f->blocks[save], saved);
    ptrmap_set(&l->restores, f->blocks[at], saved);
  }
  free(meets);
}

void guards_find(struct lowering *l) {
  struct flow f = {0};
  if (!l->f->has_guards && !l->f->options->has_guards)
    return;
  f.n = LLVMCountBasicBlocks(l->fn->llvm);
  l->has_unknown_guards = f.n > MAX_BLOCKS;
  if (l->has_unknown_guards)
    return;
  f.blocks = xcalloc(f.n, sizeof(LLVMBasicBlockRef));
  LLVMGetBasicBlocks(l->fn->llvm, f.blocks);
  for (uint32_t b = 0; b < f.n; b++)
    ptrmap_set(&f.index, f.blocks[b], b + 1);
  find_dominators(&f);
  f.loop = xcalloc(f.dom.words, sizeof *f.loop);
  put_guards(l, &f);
  ptrmap_done(&f.index);
  free(f.blocks);
  free(f.dom.at);
  free(f.postdom.at);
  free(f.loop);
}

void guards_begin(struct lowering *l, LLVMBasicBlockRef b) {
  if (l->has_unknown_guards && b == LLVMGetEntryBasicBlock(l->fn->llvm))
    lower_unsupported(l,
                      "what branches guard in a function of more than %d "
                      "blocks, which this model asks for",
                      MAX_BLOCKS);
  const uint32_t *saved = ptrmap_find(&l->restores, b);
  if (saved)
    lower_emit(l, OP_sys, 0, *saved, call_slots(1, 0), BI_ctrl_restore);
}

void guards_end(struct lowering *l, LLVMBasicBlockRef b) {
  const uint32_t *saved = ptrmap_find(&l->saves, b);
  if (saved)
    lower_emit(l, OP_sys, *saved, 0, call_slots(0, 1), BI_ctrl_save);
}
