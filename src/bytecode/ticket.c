// SPDX-License-Identifier: MIT
// The code is followed as it would run, with what it reads as unknowns. A slot
// is clean if it does not depend on them; else it is an unknown plus a
// constant, the outcome of the comparison of the two, or useless. So whatever
// the unknowns are, the code does the same, but for that one comparison.
#include "bytecode/ticket.h"

#include "bytecode/loop.h"
#include "bytecode/operand.h"

enum { MAX_SLOTS = 256, MAX_STEPS = 64 };

enum kind {
  CLEAN,
  NUMBER, // what was read first, plus a constant
  TURN,   // what was read then
  SAME,   // 1 if the two are equal, else 0
  OTHER,  // 1 if they are not
  USELESS,
};

struct sym {
  enum kind kind;
  uint64_t plus;
  bool is_wide; // the sum may have more bits than the word
};

struct walk {
  const struct prog *p;
  const struct func *f;
  unsigned bits; // of the words
  struct sym slots[MAX_SLOTS];
};

static const struct insn *at(const struct walk *w, uint32_t pc) {
  return &w->p->code.at[pc];
}

static bool constant(const struct walk *w, unsigned slot, uint64_t *ret) {
  if (slot < w->f->nregs)
    return false;
  *ret = w->p->consts.at[w->f->first_const + slot - w->f->nregs];
  return true;
}

static bool begin(struct walk *w, const struct prog *p, uint32_t pc) {
  *w = (struct walk){.p = p, .f = prog_func_around(p, pc)};
  w->bits = 8u * imm_access_of(p->code.at[pc].imm).size;
  return w->f && w->f->nregs + w->f->nconsts <= MAX_SLOTS;
}

// -- what slots hold

static struct sym compare(const struct walk *w, const struct insn *in) {
  struct sym x = w->slots[in->b], y = w->slots[in->c], s = {USELESS, 0, false};
  bool is_equal = in->op == OP_eq;
  uint64_t number;
  if ((in->imm & 0xff) < w->bits)
    return s;
  if ((x.kind == NUMBER && y.kind == TURN) ||
      (x.kind == TURN && y.kind == NUMBER)) {
    if (!x.plus && !y.plus && !x.is_wide && !y.is_wide)
      s.kind = is_equal ? SAME : OTHER;
  } else if ((x.kind == SAME || x.kind == OTHER) &&
             constant(w, in->c, &number) && number == 0) {
    s.kind = (x.kind == SAME) == is_equal ? OTHER : SAME; // == 0 turns it
  }
  return s;
}

static struct sym add(const struct walk *w, const struct insn *in) {
  struct sym x = w->slots[in->b], y = w->slots[in->c], s = {USELESS, 0, false};
  unsigned width = in->imm & 0xff;
  uint64_t number;
  bool is_left = constant(w, in->c, &number);
  if (!is_left && !constant(w, in->b, &number))
    return s;
  struct sym value = is_left ? x : y;
  if ((value.kind != NUMBER && value.kind != TURN) || width < w->bits)
    return s;
  value.plus += number;
  value.is_wide |= width > w->bits;
  return value;
}

static bool reads_unknown(const struct walk *w, const struct insn *in) {
  for (unsigned i = 0; i < w->f->nregs; i++)
    if (w->slots[i].kind != CLEAN && insn_reads(in, i))
      return true;
  return false;
}

static struct sym compute(const struct walk *w, const struct insn *in) {
  uint64_t number;
  if (!reads_unknown(w, in))
    return (struct sym){CLEAN, 0, false};
  struct sym x = w->slots[in->b];
  switch ((enum op)in->op) {
  case OP_mov:
    return x;
  case OP_add:
    return add(w, in);
  case OP_eq:
  case OP_ne:
    return compare(w, in);
  case OP_trunc:
    if ((x.kind == NUMBER || x.kind == TURN) && (in->imm & 0xff) == w->bits) {
      x.is_wide = false;
      return x;
    }
    break;
  case OP_xor:
    if ((x.kind == SAME || x.kind == OTHER) && constant(w, in->c, &number) &&
        number == 1)
      return (struct sym){x.kind == SAME ? OTHER : SAME, 0, false};
    break;
  default:
    break;
  }
  return (struct sym){USELESS, 0, false};
}

static void set_results(struct walk *w, const struct insn *in, struct sym s) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  for (unsigned i = 0; i < n; i++)
    for (uint32_t k = 0; o[i].written && k < o[i].count; k++)
      w->slots[o[i].first + k] = o[i].count == 1 || s.kind == CLEAN
                                     ? s
                                     : (struct sym){USELESS, 0, false};
}

// Nothing can be wrong with it, whatever the numbers are. (That a signed number
// overflows after very many rounds is not looked for.)
static bool only_computes(const struct insn *in) {
  return !op_may_fail((enum op)in->op, in->imm) &&
         op_info((enum op)in->op)->pure;
}

// Goes on to the next instruction that does more than compute; its pc, or 0.
static uint32_t go_on(struct walk *w, uint32_t pc) {
  for (unsigned n = 0; n < MAX_STEPS; n++) {
    const struct insn *in = at(w, pc);
    if (in->op == OP_jmp) {
      pc = (uint32_t)in->imm;
    } else if (only_computes(in)) {
      set_results(w, in, compute(w, in));
      pc++;
    } else if (in->op == OP_sys && in->imm == BI_yield) {
      pc++;
    } else {
      return pc;
    }
  }
  return 0;
}

// -- what is used later

// Does the code from pc on read anything that depends on the unknowns?
static bool is_used(const struct walk *w, uint32_t pc) {
  for (unsigned i = 0; i < w->f->nregs; i++)
    if (w->slots[i].kind != CLEAN && slot_is_needed(w->p, w->f, pc, i))
      return true;
  return false;
}

// -- accesses

static bool is_word(const struct walk *w, const struct insn *in,
                    unsigned address) {
  struct imm_access a = imm_access_of(in->imm);
  return 8u * a.size == w->bits && w->bits <= 64 && a.order != ORD_NA &&
         !a.how && w->slots[address].kind == CLEAN;
}

static bool is_number_plus_1(const struct walk *w, unsigned slot) {
  struct sym s = w->slots[slot];
  return s.kind == NUMBER && s.plus == 1 && !s.is_wide;
}

// Follows the update at pc, which adds 1; the pc after it, or 0.
static uint32_t follow_update(struct walk *w, uint32_t pc) {
  const struct insn *in = at(w, pc);
  if (in->op != OP_rmw_load || !is_word(w, in, in->b))
    return 0;
  set_results(w, in, (struct sym){NUMBER, 0, false});
  uint32_t end = go_on(w, pc + 1);
  const struct insn *store = at(w, end);
  return end && store->op == OP_rmw_store && store->a == in->b &&
                 is_word(w, store, store->a) && is_number_plus_1(w, store->b)
             ? end + 1
             : 0;
}

// Does the way back lead to the load, and from there to the branch at `end`
// with everything as it was before?
static bool comes_again(const struct walk *w, uint32_t way, uint32_t load,
                        uint32_t end) {
  struct walk back = *w;
  if (go_on(&back, way) != load || !is_word(&back, at(w, load), at(w, load)->b))
    return false;
  set_results(&back, at(w, load), (struct sym){TURN, 0, false});
  if (go_on(&back, load + 1) != end)
    return false;
  for (unsigned i = 0; i < MAX_SLOTS; i++)
    if (back.slots[i].kind != w->slots[i].kind ||
        back.slots[i].plus != w->slots[i].plus ||
        back.slots[i].is_wide != w->slots[i].is_wide)
      return false;
  return true;
}

uint32_t ticket_find_wait(const struct prog *p, uint32_t rmw_load) {
  struct walk w;
  if (p->code.at[rmw_load].op != OP_rmw_load || !begin(&w, p, rmw_load))
    return 0;
  uint32_t pc = follow_update(&w, rmw_load);
  uint32_t load = pc ? go_on(&w, pc) : 0;
  const struct insn *in = at(&w, load);
  if (!load || in->op != OP_load || !is_word(&w, in, in->b) ||
      !order_acquires((enum order)imm_access_of(in->imm).order))
    return 0;
  set_results(&w, in, (struct sym){TURN, 0, false});
  uint32_t end = go_on(&w, load + 1);
  const struct insn *br = at(&w, end);
  if (!end || br->op != OP_br ||
      (w.slots[br->a].kind != SAME && w.slots[br->a].kind != OTHER))
    return 0;
  bool is_same = w.slots[br->a].kind == SAME;
  uint32_t yes = (uint32_t)br->imm, no = (uint32_t)(br->imm >> 32);
  if (!comes_again(&w, is_same ? no : yes, load, end))
    return 0;
  return is_used(&w, is_same ? yes : no) ? 0 : load;
}

bool ticket_is_give(const struct prog *p, uint32_t load) {
  const struct insn *in = &p->code.at[load];
  struct walk w;
  uint32_t end;
  if ((in->op != OP_load && in->op != OP_rmw_load) || !begin(&w, p, load))
    return false;
  if (in->op == OP_rmw_load) {
    end = follow_update(&w, load);
    return end && order_releases((enum order)imm_access_of(in->imm).order) &&
           !is_used(&w, end);
  }
  if (!is_word(&w, in, in->b))
    return false;
  set_results(&w, in, (struct sym){NUMBER, 0, false});
  end = go_on(&w, load + 1);
  const struct insn *store = at(&w, end);
  return end && store->op == OP_store && store->a == in->b &&
         is_word(&w, store, store->a) && is_number_plus_1(&w, store->b) &&
         order_releases((enum order)imm_access_of(store->imm).order) &&
         !is_used(&w, end + 1);
}
