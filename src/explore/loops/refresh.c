// SPDX-License-Identifier: MIT
// The code of a loop that tries again. Whatever a compare-exchange reads when
// it fails: does the thread always come to where its load would have taken it
// with that value? States answer that for one value (retry.c); here it is
// answered for all values, from the code.
//
// The code behind the failure is followed with the value that was read as an
// unknown. It must come, without an access and without a question about the
// value, either right behind the load, with the value where the load puts it,
// or to the load itself. What else is live there must be as it was when the
// round began: nothing in the round may write it. And what the round stores
// must be stored again, right behind the load, to the same address.
#include "bytecode/operand.h"
#include "explore/loops/loops.h"

#include <stdlib.h>

enum { MAX_SLOTS = 256, MAX_STEPS = 64, MAX_BODY = 256 };

enum known { AS_BEFORE, READ_VALUE, CONSTANT, UNKNOWN };

struct walk {
  const struct prog *p;
  const struct func *f;
  uint32_t load, cas;
  enum known known[MAX_SLOTS];
  uint64_t value[MAX_SLOTS]; // CONSTANT
  bool written[MAX_SLOTS];   // by the code of a round
  uint32_t body[MAX_BODY];   // the code of a round: what can follow the load
  uint32_t len;
};

static const struct insn *insn_at(const struct walk *w, uint32_t pc) {
  return &w->p->code.at[pc];
}

// -- the code behind a failure

static bool fold(enum op op, uint64_t x, uint64_t y, unsigned width,
                 uint64_t *ret) {
  switch (op) {
  case OP_and:
    *ret = x & y;
    return true;
  case OP_or:
    *ret = x | y;
    return true;
  case OP_xor:
    *ret = x ^ y;
    return true;
  case OP_eq:
    *ret = x == y;
    return true;
  case OP_ne:
    *ret = x != y;
    return true;
  case OP_trunc:
    *ret = width < 64 ? x & ((UINT64_C(1) << width) - 1) : x;
    return true;
  default:
    return false;
  }
}

static void set(struct walk *w, unsigned slot, enum known k, uint64_t value) {
  w->known[slot] = k;
  w->value[slot] = value;
}

// Follows an instruction that only computes. False: it does more.
static bool follow_pure(struct walk *w, const struct insn *in) {
  const struct insn *cas = insn_at(w, w->cas);
  unsigned from = in->b;
  uint64_t value = 0;
  switch ((enum op)in->op) {
  case OP_cas_ok: // it failed
    if (in->b != cas->a || in->c != cas->c)
      return false;
    set(w, in->a, CONSTANT, 0);
    return true;
  case OP_number:
    set(w, in->a, CONSTANT, in->imm);
    return true;
  case OP_select:
  case OP_pick:
    if (w->known[in->b] != CONSTANT)
      return false;
    from = w->value[in->b] ? in->c : (unsigned)in->imm;
    set(w, in->a, w->known[from], w->value[from]);
    return true;
  case OP_mov:
    set(w, in->a, w->known[from], w->value[from]);
    return true;
  case OP_and:
  case OP_or:
  case OP_xor:
  case OP_eq:
  case OP_ne:
  case OP_trunc: {
    bool is_constant =
        w->known[in->b] == CONSTANT &&
        (in->op == OP_trunc || w->known[in->c] == CONSTANT) &&
        fold((enum op)in->op, w->value[in->b],
             in->op == OP_trunc ? 0 : w->value[in->c], in->imm & 0xff, &value);
    set(w, in->a, is_constant ? CONSTANT : UNKNOWN, value);
    return true;
  }
  default:
    return false;
  }
}

// Follows the code from the failure to the load, or right behind it; yields
// where that is, 0 if it does not come there by itself.
static uint32_t follow_failure(struct walk *w) {
  uint32_t pc = w->cas + 1;
  for (unsigned n = 0; n < MAX_STEPS; n++) {
    const struct insn *in = insn_at(w, pc);
    if (pc == w->load || pc == w->load + 1)
      return pc;
    if (in->op == OP_jmp) {
      pc = (uint32_t)in->imm;
    } else if (in->op == OP_br) {
      if (w->known[in->a] != CONSTANT)
        return 0;
      pc = (uint32_t)(w->value[in->a] ? in->imm : in->imm >> 32);
    } else if ((in->op == OP_cas_store && pc == w->cas + 1) ||
               follow_pure(w, in)) {
      pc++;
    } else {
      return 0;
    }
  }
  return 0;
}

// -- the code of a round

static bool add_to_body(struct walk *w, uint32_t pc) {
  for (uint32_t i = 0; i < w->len; i++)
    if (w->body[i] == pc)
      return true;
  if (w->len == MAX_BODY)
    return false;
  w->body[w->len++] = pc;
  return true;
}

static bool add_successors(struct walk *w, uint32_t pc) {
  const struct insn *in = insn_at(w, pc);
  if (in->op == OP_jmp)
    return add_to_body(w, (uint32_t)in->imm);
  if (in->op == OP_br)
    return add_to_body(w, (uint32_t)in->imm) &&
           add_to_body(w, (uint32_t)(in->imm >> 32));
  if (in->op == OP_ret || in->op == OP_trap)
    return true;
  return !op_info((enum op)in->op)->ends_block && add_to_body(w, pc + 1);
}

// Does the instruction change nothing but slots, and what stores change?
static bool is_simple(const struct insn *in) {
  return op_info((enum op)in->op)->pure || in->op == OP_load ||
         in->op == OP_store || in->op == OP_fence || in->op == OP_jmp ||
         in->op == OP_br || in->op == OP_ret || in->op == OP_trap;
}

// Collects what can run from the load to the compare-exchange, and what it
// writes. False: it does more than this file understands.
static bool find_body(struct walk *w) {
  struct operand operands[4];
  if (!add_to_body(w, w->load + 1))
    return false;
  for (uint32_t i = 0; i < w->len; i++) {
    const struct insn *in = insn_at(w, w->body[i]);
    if (w->body[i] == w->cas)
      continue;
    if (!is_simple(in) || !add_successors(w, w->body[i]))
      return false;
    unsigned n = insn_operands(in, operands);
    for (unsigned k = 0; k < n; k++)
      for (uint32_t s = 0; operands[k].written && s < operands[k].count; s++)
        w->written[operands[k].first + s] = true;
  }
  return true;
}

// -- both

static bool is_kept(const struct walk *w, unsigned slot) {
  return slot >= w->f->nregs ||
         (w->known[slot] == AS_BEFORE && !w->written[slot]);
}

// Is what is live where the failure leads as it was when the round began?
static bool keeps_what_is_live(const struct walk *w, uint32_t end) {
  const struct insn *load = insn_at(w, w->load);
  uint32_t n;
  const uint16_t *live = live_across(w->p, w->load, &n);
  if (end == w->load ? !is_kept(w, load->b) || load->a == load->b
                     : w->known[load->a] != READ_VALUE)
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (!is_kept(w, live[i]))
      return false;
  return true;
}

// Are all stores of the round made again right behind the load, whatever it
// reads? They are listed.
static bool find_stores(struct walk *w, struct refresh *ret) {
  uint32_t n = 0;
  for (uint32_t pc = w->load + 1; pc < w->f->end; pc++) {
    const struct insn *in = insn_at(w, pc);
    if (in->op == OP_store && n < REFRESH_STORES && is_kept(w, in->a) &&
        in->a != insn_at(w, w->load)->a)
      ret->stores[n++] = pc;
    else if (!op_info((enum op)in->op)->pure)
      break;
  }
  ret->nstores = n;
  uint32_t all = 0;
  for (uint32_t i = 0; i < w->len; i++)
    all += insn_at(w, w->body[i])->op == OP_store;
  return all == n;
}

static const struct func *func_of(const struct prog *p, uint32_t pc) {
  for (uint32_t i = 0; i < p->funcs.len; i++)
    if (pc >= p->funcs.at[i].first && pc < p->funcs.at[i].end)
      return &p->funcs.at[i];
  return NULL;
}

static bool is_uniform(struct walk *w, struct refresh *ret) {
  const struct insn *cas = insn_at(w, w->cas), *load = insn_at(w, w->load);
  if (cas->op != OP_cas_load || load->op != OP_load ||
      imm_access_of(cas->imm).size == 16 || w->f != func_of(w->p, w->load) ||
      w->f->nregs + w->f->nconsts > MAX_SLOTS)
    return false;
  for (uint32_t i = 0; i < w->f->nconsts; i++)
    set(w, w->f->nregs + i, CONSTANT, w->p->consts.at[w->f->first_const + i]);
  set(w, cas->a, READ_VALUE, 0);
  uint32_t end = follow_failure(w);
  ret->leads_before = end == w->load;
  return end && find_body(w) && keeps_what_is_live(w, end) &&
         find_stores(w, ret);
}

const struct refresh *refresh_find(const struct prog *p, struct refreshes *all,
                                   uint32_t load, uint32_t cas) {
  for (uint32_t i = 0; i < all->len; i++)
    if (all->at[i].load == load && all->at[i].cas == cas)
      return &all->at[i];
  struct refresh found = {.load = load, .cas = cas};
  struct walk *w = xcalloc(1, sizeof *w);
  *w = (struct walk){.p = p, .f = func_of(p, cas), .load = load, .cas = cas};
  found.is_uniform = is_uniform(w, &found);
  free(w);
  array_push(all, found);
  return array_last(all);
}
