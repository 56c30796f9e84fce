// SPDX-License-Identifier: MIT
// Where the ways of a branch meet is its nearest post-dominator; sets of those
// are bit rows, met until nothing changes.
#include "front/passes/blocks.h"

#include <stdlib.h>

enum { MAX_BLOCKS = 400 };

static const struct vinsn *last_of(const struct blocks *b, uint32_t block) {
  for (uint32_t i = b->at[block].end; i-- > b->at[block].first;)
    if (b->code->insns.at[i].op < OP_COUNT)
      return &b->code->insns.at[i];
  return NULL;
}

struct vinsn *blocks_branch(const struct blocks *b, uint32_t block) {
  struct vinsn *v = &b->code->insns.at[b->at[block].end - 1];
  return v->op == OP_br ? v : NULL;
}

// So many blocks at most; 0: it is too hard.
static uint32_t count_blocks(const struct code *c) {
  uint32_t blocks = 1;
  if (c->keeps_labels)
    return 0;
  for (uint32_t i = 0; i < c->insns.len; i++) {
    blocks += c->insns.at[i].op == OP_LABEL || code_ends_block(&c->insns.at[i]);
    const struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_ijmp || (v->op == OP_sys && v->imm == BI_setjmp))
      return 0;
  }
  return blocks > MAX_BLOCKS ? 0 : blocks;
}

// -- blocks

static void add_block(struct blocks *f, uint32_t first, uint32_t end) {
  if (first < end)
    f->at[f->n++] = (struct block){.first = first, .end = end};
}

static void find_blocks(struct blocks *f) {
  const struct code *c = f->code;
  uint32_t first = 0;
  for (uint32_t i = 0; i < c->insns.len; i++) {
    const struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_LABEL) {
      if (i > first && c->insns.at[i - 1].op != OP_LABEL) {
        add_block(f, first, i);
        first = i;
      }
      f->of_label[v->imm] = f->n;
    } else if (code_ends_block(v)) {
      add_block(f, first, i + 1);
      first = i + 1;
    }
  }
  add_block(f, first, c->insns.len);
}

static void find_ways(struct blocks *f) {
  for (uint32_t b = 0; b < f->n; b++) {
    const struct vinsn *v = last_of(f, b);
    struct block *k = &f->at[b];
    k->to[0] = k->to[1] = f->n;
    if (!v || !code_ends_block(v)) {
      k->to[0] = b + 1; // f->n if it is the last: it is never reached
    } else if (v->op == OP_jmp) {
      k->to[0] = f->of_label[v->imm];
    } else if (v->op == OP_br) {
      k->to[0] = f->of_label[(label_id)v->imm];
      k->to[1] = f->of_label[v->imm >> 32];
    } else if (v->op == OP_switch) {
      k->is_open = true;
    }
  }
}

// -- where ways meet

// A block with a switch goes anywhere; so it is taken for an end.
static bool is_end(const struct blocks *f, uint32_t b) {
  return f->at[b].to[0] == f->n || f->at[b].is_open;
}

static void find_postdominators(struct blocks *f) {
  f->postdom = rows_full(f->n);
  for (uint32_t b = 0; b < f->n; b++)
    if (is_end(f, b))
      row_only_itself(&f->postdom, b);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = f->n; b-- > 0;)
      for (unsigned i = 0; i < 2 && !is_end(f, b); i++)
        if (f->at[b].to[i] < f->n)
          changed |= row_meet(&f->postdom, b, f->at[b].to[i]);
  }
}

uint32_t blocks_meeting(const struct blocks *f, uint32_t b) {
  return row_nearest(&f->postdom, b);
}

void blocks_collect(const struct blocks *f, uint32_t b, const uint64_t *without,
                    uint64_t *set) {
  if (b == f->n || bit_has(without, b) || bit_has(set, b))
    return;
  bit_add(set, b);
  blocks_collect(f, f->at[b].to[0], without, set);
  blocks_collect(f, f->at[b].to[1], without, set);
}

bool blocks_reach(const struct blocks *f, uint32_t from, uint32_t to,
                  const uint64_t *without) {
  uint64_t *set = xcalloc(f->words, sizeof *set);
  blocks_collect(f, from, without, set);
  bool found = bit_has(set, to);
  free(set);
  return found;
}

bool blocks_find(struct blocks *b, struct code *c) {
  *b = (struct blocks){.code = c};
  uint32_t most = count_blocks(c);
  if (!most)
    return false;
  b->at = xcalloc(most + 1u, sizeof *b->at);
  b->of_label = xcalloc(c->labels + 1u, sizeof *b->of_label);
  find_blocks(b);
  find_ways(b);
  b->words = b->n / 64 + 1;
  find_postdominators(b);
  return true;
}

void blocks_done(struct blocks *b) {
  free(b->at);
  free(b->of_label);
  free(b->postdom.at);
}
