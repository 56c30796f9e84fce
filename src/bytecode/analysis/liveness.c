// SPDX-License-Identifier: MIT
// Liveness: which slots a frame must keep while it waits at an instruction.
// Thread states are equal only if their live slots are, so this decides how
// well states merge. Backward data flow over basic blocks with one bit a
// register; the results are lists, because they are short.
#include "base/bits.h"
#include "bytecode/operand.h"
#include "bytecode/pass.h"

#include <string.h>

struct flow {
  const struct prog *p;
  const struct func *f;
  uint32_t words;        // of one set
  uint32_t *block_of;    // per pc - first: its block
  ARRAY(uint32_t) start; // per block: first pc; then the end
  uint64_t *in;          // per block: live at its start
  uint64_t *now;         // the set while walking a block backwards
  uint64_t *landing;     // NULL, or live behind some setjmp: longjmp may lead
                         // there from all calls
  bool has_grown;        // it has
};

static void put_bits(uint64_t *set, uint32_t first, uint32_t count, bool on) {
  for (uint32_t i = first; i < first + count; i++)
    if (on)
      bit_add(set, i);
    else
      bit_clear(set, i);
}

// Calls `visit` for each pc that may follow the block end at pc.
static void each_successor(const struct flow *w, uint32_t pc,
                           void (*visit)(const struct flow *, uint32_t)) {
  const struct insn *in = &w->p->code.at[pc];
  switch (in->op) {
  case OP_jmp:
    visit(w, (uint32_t)in->imm);
    break;
  case OP_br:
    visit(w, (uint32_t)in->imm);
    visit(w, (uint32_t)(in->imm >> 32));
    break;
  case OP_switch: {
    const struct switch_table *t = &w->p->tables.at[in->imm];
    visit(w, t->other);
    for (uint32_t i = t->first; i < t->first + t->cases; i++)
      visit(w, w->p->cases.at[i].target);
    break;
  }
  case OP_ijmp:
    for (uint32_t i = 0; i < w->p->labels.len; i++) {
      uint32_t label = w->p->labels.at[i];
      if (label >= w->f->first && label < w->f->end)
        visit(w, label);
    }
    break;
  default:
    if (!op_info(in->op)->ends_block)
      visit(w, pc + 1);
  }
}

static void mark_leader(const struct flow *w, uint32_t pc) {
  w->block_of[pc - w->f->first] = 1;
}

static void find_blocks(struct flow *w) {
  uint32_t first = w->f->first, end = w->f->end;
  w->block_of = xcalloc(end - first, sizeof *w->block_of);
  mark_leader(w, first);
  for (uint32_t pc = first; pc < end; pc++)
    if (op_info(w->p->code.at[pc].op)->ends_block) {
      each_successor(w, pc, mark_leader);
      if (pc + 1 < end)
        mark_leader(w, pc + 1);
    }
  for (uint32_t pc = first; pc < end; pc++) {
    if (w->block_of[pc - first])
      array_push(&w->start, pc);
    w->block_of[pc - first] = w->start.len - 1;
  }
  array_push(&w->start, end);
}

static void join_successor(const struct flow *w, uint32_t pc) {
  const uint64_t *in = w->in + (size_t)w->block_of[pc - w->f->first] * w->words;
  for (uint32_t i = 0; i < w->words; i++)
    w->now[i] |= in[i];
}

static bool may_jump(const struct insn *in) {
  return in->op == OP_call || in->op == OP_callr ||
         (in->op == OP_sys && in->imm == BI_longjmp);
}

// What is needed behind a setjmp is live at every call that longjmp may leave.
static void step_to_landing(struct flow *w, const struct insn *in) {
  for (uint32_t i = 0; i < w->words; i++)
    if (insn_is_setjmp(in)) {
      w->has_grown |= (w->now[i] & ~w->landing[i]) != 0;
      w->landing[i] |= w->now[i];
    } else if (may_jump(in)) {
      w->now[i] |= w->landing[i];
    }
}

// Takes the set from after the instruction to before it.
static void step_back(struct flow *w, const struct insn *in) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  for (unsigned i = 0; i < n; i++)
    if (o[i].written)
      put_bits(w->now, o[i].first, o[i].count, false);
  if (w->landing)
    step_to_landing(w, in);
  for (unsigned i = 0; i < n; i++)
    if (!o[i].written && o[i].first < w->f->nregs)
      put_bits(w->now, o[i].first, o[i].count, true);
}

static void begin_block(struct flow *w, uint32_t block) {
  memset(w->now, 0, w->words * sizeof *w->now);
  each_successor(w, w->start.at[block + 1] - 1, join_successor);
}

static bool update_block(struct flow *w, uint32_t block) {
  begin_block(w, block);
  for (uint32_t pc = w->start.at[block + 1]; pc-- > w->start.at[block];)
    step_back(w, &w->p->code.at[pc]);
  uint64_t *in = w->in + (size_t)block * w->words;
  bool changed = memcmp(in, w->now, w->words * sizeof *in) != 0;
  memcpy(in, w->now, w->words * sizeof *in);
  return changed;
}

// What a call writes is kept all the same if longjmp may leave it.
static bool is_kept(const struct flow *w, const struct insn *in,
                    uint32_t slot) {
  return w->landing && may_jump(in) && bit_has(w->landing, slot);
}

static void record(struct prog *p, struct flow *w, uint32_t pc) {
  struct operand o[4];
  unsigned n = insn_operands(&p->code.at[pc], o);
  for (uint32_t i = 0; w->landing && i < w->words; i++)
    if (may_jump(&p->code.at[pc]))
      w->now[i] |= w->landing[i];
  p->live_first[pc] = p->live.len;
  array_push(&p->live, 0);
  for (uint32_t word = 0; word < w->words; word++)
    for (uint64_t rest = w->now[word]; rest; rest &= rest - 1) {
      uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(rest);
      bool written = false;
      for (unsigned i = 0; i < n; i++)
        written |= o[i].written && slot - o[i].first < o[i].count;
      if (!written || is_kept(w, &p->code.at[pc], slot))
        array_push(&p->live, (uint16_t)slot);
    }
  uint32_t first = p->live_first[pc];
  p->live.at[first] = (uint16_t)(p->live.len - first - 1);
}

static void func_liveness(struct prog *p, const struct func *f) {
  struct flow w = {.p = p, .f = f, .words = f->nregs / 64 + 1};
  find_blocks(&w);
  uint32_t blocks = w.start.len - 1;
  w.in = xcalloc((size_t)blocks * w.words, sizeof *w.in);
  w.now = xcalloc(w.words, sizeof *w.now);
  if (func_has_setjmp(p, f))
    w.landing = xcalloc(w.words, sizeof *w.landing);
  for (bool changed = true; changed;) {
    changed = w.has_grown = false;
    for (uint32_t block = blocks; block-- > 0;)
      changed |= update_block(&w, block);
    changed |= w.has_grown;
  }
  for (uint32_t block = 0; block < blocks; block++) {
    begin_block(&w, block);
    for (uint32_t pc = w.start.at[block + 1]; pc-- > w.start.at[block];) {
      if (insn_suspends(&p->code.at[pc]))
        record(p, &w, pc);
      step_back(&w, &p->code.at[pc]);
    }
  }
  free(w.block_of);
  free(w.now);
  free(w.landing);
  array_done(&w.start);
  free(w.in);
}

static void add_label(struct prog *p, uint64_t value) {
  if (value >> POINTER_OFFSET_BITS == INDEX_CODE &&
      pointer_offset(value) < p->code.len)
    array_push(&p->labels, pointer_offset(value));
}

static int compare_u32(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// Code addresses come from constants and from the contents of globals. A
// number that only looks like one costs a little precision, nothing else.
static void find_labels(struct prog *p) {
  for (uint32_t i = 0; i < p->consts.len; i++)
    add_label(p, p->consts.at[i]);
  for (uint32_t i = 0; i < p->globals.len; i++)
    for (uint64_t at = 0; at + 8 <= p->globals.at[i].size; at += 8) {
      uint64_t value;
      memcpy(&value, p->globals.at[i].bytes + at, 8);
      add_label(p, value);
    }
  if (p->labels.len)
    qsort(p->labels.at, p->labels.len, sizeof *p->labels.at, compare_u32);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->labels.len; i++)
    if (i == 0 || p->labels.at[i] != p->labels.at[i - 1])
      p->labels.at[kept++] = p->labels.at[i];
  p->labels.len = kept;
}

void prog_liveness(struct prog *p) {
  find_labels(p);
  p->live_first = xcalloc(p->code.len, sizeof *p->live_first);
  array_push(&p->live, 0);
  for (uint32_t i = 0; i < p->funcs.len; i++)
    func_liveness(p, &p->funcs.at[i]);
}
