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
// must be stored again, right behind the load, to the same address, which is
// computed from what is kept alone.
//
// There may be no load: a compare-exchange that fails is tried again with what
// it read (`while (!compare_exchange(&x, &old, new)) {}`). Then the failure
// before takes the place of the load. What it expected is the one thing that is
// not as it was, and it must be what was read: where the code comes back to the
// compare-exchange it expects that, whatever it has expected before.
#include "bytecode/operand.h"
#include "explore/loops/loops.h"

#include <stdlib.h>

enum { MAX_SLOTS = 256, MAX_STEPS = 64, MAX_BODY = 256 };

enum known { AS_BEFORE, READ_VALUE, CONSTANT, OFFSET, UNKNOWN };

// What is known of a slot.
struct term {
  enum known known;
  uint64_t value; // CONSTANT, OFFSET
  uint16_t base;  // OFFSET: from what this slot had when the round began
};

struct walk {
  const struct prog *p;
  const struct func *f;
  uint32_t load, cas;
  enum known known[MAX_SLOTS];
  uint64_t value[MAX_SLOTS]; // CONSTANT, OFFSET
  uint16_t base[MAX_SLOTS];  // OFFSET
  bool written[MAX_SLOTS];   // by the code of a round
  uint32_t body[MAX_BODY];   // the code of a round: what can follow the load
  uint32_t len;
  const struct insn *stored[REFRESH_STORES]; // that were passed
  struct term address[REFRESH_STORES], data[REFRESH_STORES];
  uint32_t nstored;
};

static const struct insn *insn_at(const struct walk *w, uint32_t pc) {
  return &w->p->code.at[pc];
}

// Is there no load, so that the failure before is in its place?
static bool is_alone(const struct walk *w) {
  return w->load == w->cas;
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

// The slot is what another one was when the round began, and something more.
static void set_offset(struct walk *w, unsigned slot, unsigned from,
                       uint64_t offset) {
  bool is_base = w->known[from] == AS_BEFORE && !w->written[from];
  if (!is_base && w->known[from] != OFFSET) {
    set(w, slot, UNKNOWN, 0);
    return;
  }
  uint16_t base = is_base ? (uint16_t)from : w->base[from];
  set(w, slot, OFFSET, (is_base ? 0 : w->value[from]) + offset);
  w->base[slot] = base;
}

static void copy(struct walk *w, unsigned slot, unsigned from) {
  enum known k = w->known[from];
  if (slot != from && (k == AS_BEFORE || k == OFFSET))
    set_offset(w, slot, from, 0);
  else if (slot != from)
    set(w, slot, k, w->value[from]);
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
    copy(w, in->a, from);
    return true;
  case OP_mov:
    copy(w, in->a, from);
    return true;
  case OP_add: // of addresses
    if ((in->imm & 0xff) == 64 && w->known[in->c] == CONSTANT)
      set_offset(w, in->a, in->b, w->value[in->c]);
    else
      set(w, in->a, UNKNOWN, 0);
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
    if (pc == w->load || (pc == w->load + 1 && !is_alone(w)))
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
  if (is_alone(w) && (load->c >= w->f->nregs || load->c == load->b ||
                      w->known[load->c] != READ_VALUE))
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (!is_kept(w, live[i]) && !(is_alone(w) && live[i] == load->c))
      return false;
  return true;
}

// A pure instruction behind the load: is what it writes computed from what is
// the same in each round?
static void follow_fixed(const struct walk *w, const struct insn *in,
                         bool *fixed) {
  struct operand operands[4];
  unsigned n = insn_operands(in, operands);
  bool is_fixed = in->op != OP_undef;
  for (unsigned k = 0; k < n; k++)
    for (uint32_t s = operands[k].first;
         !operands[k].written && s < operands[k].first + operands[k].count; s++)
      is_fixed &= s >= w->f->nregs || fixed[s];
  for (unsigned k = 0; k < n; k++)
    for (uint32_t s = 0; operands[k].written && s < operands[k].count; s++)
      fixed[operands[k].first + s] = is_fixed;
}

// Are all stores of the round made again right behind the load, whatever it
// reads? They are listed.
static bool find_stores(struct walk *w, struct refresh *ret) {
  uint32_t n = 0;
  bool fixed[MAX_SLOTS];
  for (unsigned s = 0; s < MAX_SLOTS; s++)
    fixed[s] = is_kept(w, s) && s != insn_at(w, w->load)->a;
  for (uint32_t pc = w->load + 1; pc < w->f->end; pc++) {
    const struct insn *in = insn_at(w, pc);
    if (in->op == OP_store && n < REFRESH_STORES && fixed[in->a])
      ret->stores[n++] = pc;
    else if (op_info((enum op)in->op)->pure)
      follow_fixed(w, in, fixed);
    else
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
  if (cas->op != OP_cas_load || (load->op != OP_load && !is_alone(w)) ||
      imm_access_of(cas->imm).size == 16 || w->f != func_of(w->p, w->load) ||
      w->f->nregs + w->f->nconsts > MAX_SLOTS)
    return false;
  for (uint32_t i = 0; i < w->f->nconsts; i++)
    set(w, w->f->nregs + i, CONSTANT, w->p->consts.at[w->f->first_const + i]);
  set(w, cas->a, READ_VALUE, 0);
  uint32_t end = follow_failure(w);
  ret->leads_before = end == w->load;
  return end && (is_alone(w) || find_body(w)) && keeps_what_is_live(w, end) &&
         find_stores(w, ret);
}

// -- with stores before they meet
//
// `*link = load(&top)` before the loop, and a failure that stores into *link:
// the code behind the load and the code behind the failure make the same
// stores, and come to the same access with the same in all that is live. From
// there a way without branches leads to the compare-exchange, so what is
// computed on it is the same in every round.

static struct term term_of(const struct walk *w, unsigned slot) {
  enum known k = w->known[slot];
  return k == AS_BEFORE && w->written[slot]
             ? (struct term){.known = UNKNOWN}
             : (struct term){k, k == AS_BEFORE ? slot : w->value[slot],
                             k == OFFSET ? w->base[slot] : 0};
}

static bool is_same_term(struct term a, struct term b) {
  return a.known != UNKNOWN && a.known == b.known && a.base == b.base &&
         (a.known == READ_VALUE || a.value == b.value);
}

static bool pass_store(struct walk *w, const struct insn *in) {
  if (w->nstored == REFRESH_STORES)
    return false;
  w->address[w->nstored] = term_of(w, in->a);
  w->data[w->nstored] = term_of(w, in->b);
  w->stored[w->nstored++] = in;
  return true;
}

// Follows the code from pc to the next access that is no store, or to `end`;
// yields where that is, 0 if it does not come there by itself.
static uint32_t follow_stores(struct walk *w, uint32_t pc, uint32_t end) {
  for (unsigned n = 0; n < MAX_STEPS && pc != end; n++) {
    const struct insn *in = insn_at(w, pc);
    if (in->op == OP_jmp) {
      pc = (uint32_t)in->imm;
    } else if (in->op == OP_br) {
      if (w->known[in->a] != CONSTANT)
        return 0;
      pc = (uint32_t)(w->value[in->a] ? in->imm : in->imm >> 32);
    } else if ((in->op == OP_cas_store && pc == w->cas + 1) ||
               follow_pure(w, in) ||
               (in->op == OP_store && pass_store(w, in))) {
      pc++;
    } else {
      return in->op == OP_load || in->op == OP_cas_load ? pc : 0;
    }
  }
  return pc == end ? pc : 0;
}

static bool makes_same_stores(const struct walk *a, const struct walk *b) {
  if (a->nstored != b->nstored)
    return false;
  for (uint32_t i = 0; i < a->nstored; i++)
    if (a->stored[i]->imm != b->stored[i]->imm ||
        !is_same_term(a->address[i], b->address[i]) ||
        !is_same_term(a->data[i], b->data[i]))
      return false;
  return true;
}

// Is the same in all slots that the access at pc reads, or that are live behind
// it?
static bool has_same_slots(const struct walk *a, const struct walk *b,
                           uint32_t pc) {
  struct operand operands[4];
  uint32_t n;
  const uint16_t *live = live_across(a->p, pc, &n);
  for (uint32_t i = 0; i < n; i++)
    if (!is_same_term(term_of(a, live[i]), term_of(b, live[i])))
      return false;
  unsigned m = insn_operands(insn_at(a, pc), operands);
  for (unsigned k = 0; k < m; k++)
    for (uint32_t s = operands[k].first;
         !operands[k].written && s < operands[k].first + operands[k].count; s++)
      if (!is_same_term(term_of(a, s), term_of(b, s)))
        return false;
  return true;
}

static void begin_behind(struct walk *w, uint32_t pc) {
  for (uint32_t i = 0; i < w->f->nconsts; i++)
    set(w, w->f->nregs + i, CONSTANT, w->p->consts.at[w->f->first_const + i]);
  set(w, insn_at(w, pc)->a, READ_VALUE, 0);
}

// Follows the code from pc on to the compare-exchange. What is loaded on the
// way, and what the first load has read, is not known behind it.
static bool follow_to_cas(struct walk *w, uint32_t pc) {
  for (unsigned n = 0; n < MAX_STEPS && pc != w->cas; n++, pc++) {
    const struct insn *in = insn_at(w, pc);
    if (in->op == OP_load)
      set(w, in->a, UNKNOWN, 0);
    else if (!follow_pure(w, in))
      return false;
  }
  for (unsigned s = 0; s < MAX_SLOTS; s++)
    if (w->known[s] == READ_VALUE)
      w->known[s] = UNKNOWN;
  return pc == w->cas;
}

// `w` is new.
static bool meets_behind_stores(struct walk *w) {
  const struct insn *cas = insn_at(w, w->cas), *load = insn_at(w, w->load);
  if (cas->op != OP_cas_load || load->op != OP_load || w->load == w->cas ||
      imm_access_of(cas->imm).size == 16 || w->f != func_of(w->p, w->load) ||
      w->f->nregs + w->f->nconsts > MAX_SLOTS)
    return false;
  struct walk *first = xcalloc(1, sizeof *first);
  *first = *w;
  begin_behind(first, w->load);
  uint32_t end = follow_stores(first, w->load + 1, 0);
  *w = *first;
  w->nstored = 0;
  bool ok = end && follow_to_cas(w, end);
  begin_behind(w, w->cas);
  ok = ok && follow_stores(w, w->cas + 1, end) == end &&
       makes_same_stores(first, w) && has_same_slots(first, w, end);
  free(first);
  return ok;
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
  *w = (struct walk){.p = p, .f = func_of(p, cas), .load = load, .cas = cas};
  found.is_alike = found.is_uniform || meets_behind_stores(w);
  free(w);
  array_push(all, found);
  return array_last(all);
}
