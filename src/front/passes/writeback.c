// SPDX-License-Identifier: MIT
// After a compare-exchange, clang writes the value that was read back to
// `expected` under a branch on failure. The source has no such branch, and a
// model that tracks dependencies would order everything later after it. So
// when `expected` is a register or private memory, the branch becomes a
// conditional move:
//
//      br ok -> T else F                     t := mem[e]
//   F: mem[e] := old               =>        t := ok ? t : old
//   T: ...                                   mem[e] := t
//
// This runs before anything is tidied, when the write-back is still complete,
// and after inlining, for wrappers that are given `&expected`.
#include "front/passes/code.h"

struct writeback {
  struct code *code;
  struct vinsn *old; // the code before
  uint32_t n;
  uint32_t *writes;  // per register: how often it is written
  uint32_t *written; // where, when it is once
  uint32_t *uses;    // per label: how often code goes there
};

static void scan(struct writeback *w) {
  struct operand o[MAX_OPERANDS];
  for (vreg r = 0; r < w->code->params; r++)
    w->writes[r] = 2; // not by an instruction
  for (uint32_t i = 0; i < w->n; i++) {
    struct vinsn *v = &w->old[i];
    unsigned n = code_operands(v, o);
    for (unsigned k = 0; k < n; k++)
      for (uint32_t r = 0; o[k].is_written && r < o[k].len; r++) {
        w->writes[o[k].first + r]++;
        w->written[o[k].first + r] = i;
      }
    if (v->op == OP_jmp)
      w->uses[v->imm]++;
    if (v->op == OP_br) {
      w->uses[(label_id)v->imm]++;
      w->uses[v->imm >> 32]++;
    }
  }
  for (uint32_t i = 0; i < w->code->cases.len; i++)
    w->uses[w->code->cases.at[i].target]++;
  for (uint32_t i = 0; i < w->code->tables.len; i++)
    w->uses[w->code->tables.at[i].other]++;
}

// The only instruction that writes r, or NULL.
static const struct vinsn *writer(const struct writeback *w, vreg r) {
  return is_const_reg(r) || w->writes[r] != 1 ? NULL : &w->old[w->written[r]];
}

static bool is_private(const struct writeback *w, vreg address) {
  const struct vinsn *v = writer(w, address);
  while (v && (v->op == OP_add || v->op == OP_mov))
    v = writer(w, v->b);
  return v && v->op == OP_local;
}

// The compare-exchange whose success decides a branch on r, or NULL.
static const struct vinsn *decider(const struct writeback *w, vreg r) {
  const struct vinsn *v = writer(w, r);
  while (v && v->op == OP_mov)
    v = writer(w, v->b);
  return v && v->op == OP_cas_ok ? v : NULL;
}

static bool is_copy(const struct writeback *w, vreg r, vreg of) {
  while (r != of) {
    const struct vinsn *v = writer(w, r);
    if (!v || v->op != OP_mov)
      return false;
    r = v->b;
  }
  return true;
}

// Does `v` put the value that the compare-exchange read to its place?
static bool puts_back(const struct writeback *w, const struct vinsn *v,
                      vreg old) {
  if (v->op == OP_mov)
    return is_copy(w, v->b, old);
  struct imm_access how = imm_access_of(v->imm);
  if (v->op != OP_store || how.order != ORD_NA || !is_private(w, v->a))
    return false;
  return is_copy(w, v->b, old) &&
         (how.size < 16 || is_copy(w, v->b + 1, old + 1));
}

// The end of the failure block if the branch at `i` only writes back, else 0.
static uint32_t match(const struct writeback *w, uint32_t i) {
  const struct vinsn *br = &w->old[i];
  const struct vinsn *ok = br->op == OP_br ? decider(w, br->a) : NULL;
  if (!ok || i + 3 >= w->n)
    return 0;
  label_id success = (label_id)br->imm, failure = (label_id)(br->imm >> 32);
  const struct vinsn *label = &w->old[i + 1];
  if (label->op != OP_LABEL || label->imm != failure || w->uses[failure] != 1)
    return 0;
  uint32_t end = i + 2;
  if (!puts_back(w, &w->old[end], ok->b))
    return 0;
  end++;
  if ((ok->imm & 0xff) == 128 && w->old[i + 2].op == OP_mov) {
    if (w->old[end].op != OP_mov || !puts_back(w, &w->old[end], ok->b + 1))
      return 0;
    end++;
  }
  const struct vinsn *next = end < w->n ? &w->old[end] : br;
  bool goes_on =
      (next->op == OP_LABEL || next->op == OP_jmp) && next->imm == success;
  return goes_on ? end : 0;
}

static void convert(struct writeback *w, vreg ok, const struct vinsn *v) {
  struct code *c = w->code;
  if (v->op == OP_mov) {
    code_emit(c, OP_select, v->a, ok, v->a, v->b, v->source);
    return;
  }
  uint32_t n = imm_access_of(v->imm).size == 16 ? 2 : 1;
  vreg before = code_regs(c, n), after = code_regs(c, n);
  code_emit(c, OP_load, before, v->a, 0, v->imm, v->source);
  for (uint32_t i = 0; i < n; i++)
    code_emit(c, OP_select, after + i, ok, before + i, v->b + i, v->source);
  code_emit(c, OP_store, v->a, after, 0, v->imm, v->source);
}

void code_write_back(struct code *c) {
  struct writeback w = {.code = c, .old = c->insns.at, .n = c->insns.len};
  w.writes = xcalloc(c->regs.len + 1u, sizeof *w.writes);
  w.written = xcalloc(c->regs.len + 1u, sizeof *w.written);
  w.uses = xcalloc(c->labels + 1u, sizeof *w.uses);
  scan(&w);
  c->insns.at = NULL;
  c->insns.len = c->insns.cap = 0;
  for (uint32_t i = 0; i < w.n; i++) {
    uint32_t end = match(&w, i);
    if (!end) {
      array_push(&c->insns, w.old[i]);
      continue;
    }
    for (uint32_t k = i + 2; k < end; k++)
      convert(&w, w.old[i].a, &w.old[k]);
    code_emit(c, OP_jmp, 0, 0, 0, (label_id)w.old[i].imm, w.old[i].source);
    i = end - 1;
  }
  free(w.old);
  free(w.writes);
  free(w.written);
  free(w.uses);
}
