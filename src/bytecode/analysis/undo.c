// SPDX-License-Identifier: MIT
// The code is followed as it would run, with the value that was read last as an
// unknown: slots hold it, or it plus a constant, or the outcome of its
// comparison with a constant. All else that the code computes is of no use
// here.
#include "bytecode/analysis/undo.h"

#include "bytecode/analysis/loop.h"
#include "bytecode/operand.h"

enum { MAX_SLOTS = 256, MAX_STEPS = 64 };

enum kind { BEFORE, VALUE, COMPARED, CONSTANT, USELESS };

struct sym {
  enum kind kind;
  uint32_t plus; // VALUE: plus this; CONSTANT: this
  // COMPARED: true if the value is in the range, or (is_outside) is not.
  int32_t least, most;
  bool is_outside;
};

struct walk {
  const struct prog *p;
  const struct func *f;
  unsigned address; // the slot
  struct sym slots[MAX_SLOTS];
};

static const struct insn *at(const struct walk *w, uint32_t pc) {
  return &w->p->code.at[pc];
}

// -- what slots hold

static struct sym compare(const struct insn *in, const struct sym *x,
                          const struct sym *y) {
  const struct sym useless = {.kind = USELESS};
  bool is_left = x->kind == VALUE;
  const struct sym *value = is_left ? x : y, *number = is_left ? y : x;
  if (value->kind != VALUE || value->plus || number->kind != CONSTANT ||
      (in->imm & 0xff) != 32)
    return useless;
  struct sym s = {COMPARED, 0, INT32_MIN, INT32_MAX, false};
  int32_t n = (int32_t)number->plus;
  bool is_strict = in->op == OP_slt;
  switch ((enum op)in->op) {
  case OP_eq:
  case OP_ne:
    s.least = s.most = n;
    s.is_outside = in->op == OP_ne;
    return s;
  case OP_slt:
  case OP_sle:
    if (is_strict && n == (is_left ? INT32_MIN : INT32_MAX))
      return useless; // never
    if (is_left)
      s.most = is_strict ? n - 1 : n;
    else
      s.least = is_strict ? n + 1 : n;
    return s;
  default:
    return useless;
  }
}

static struct sym compute(const struct walk *w, const struct insn *in) {
  const struct sym useless = {.kind = USELESS};
  const struct op_info *info = op_info((enum op)in->op);
  const struct sym *x = info->b == 'S' ? &w->slots[in->b] : &useless;
  const struct sym *y = info->c == 'S' ? &w->slots[in->c] : &useless;
  struct sym s = *x;
  if (in->op == OP_mov)
    return s;
  if (in->op == OP_number)
    return (struct sym){.kind = CONSTANT, .plus = (uint32_t)in->imm};
  if (in->op >= OP_eq && in->op <= OP_sle)
    return compare(in, x, y);
  if ((in->op != OP_add && in->op != OP_sub) || (in->imm & 0xff) != 32 ||
      in->imm & IMM_NSW)
    return useless;
  if (x->kind == VALUE && y->kind == CONSTANT) {
    s.plus += in->op == OP_add ? y->plus : 0 - y->plus;
    return s;
  }
  if (in->op == OP_add && x->kind == CONSTANT && y->kind == VALUE) {
    s = *y;
    s.plus += x->plus;
    return s;
  }
  return useless;
}

static void set_results(struct walk *w, const struct insn *in, struct sym s) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  if (s.kind == BEFORE) // it was another slot
    s.kind = USELESS;
  for (unsigned i = 0; i < n; i++)
    for (uint32_t k = 0; o[i].written && k < o[i].count; k++)
      w->slots[o[i].first + k] =
          o[i].count == 1 ? s : (struct sym){.kind = USELESS};
}

// What was read before is of no use any more: slots have the newest value.
static void forget_value(struct walk *w) {
  for (unsigned i = 0; i < MAX_SLOTS; i++)
    if (w->slots[i].kind == VALUE || w->slots[i].kind == COMPARED)
      w->slots[i].kind = USELESS;
}

// Does the instruction only compute, and can nothing be wrong with that?
static bool only_computes(const struct insn *in) {
  if (op_may_fail((enum op)in->op, in->imm))
    return false;
  bool is_signed = in->op >= OP_add && in->op <= OP_mul && in->imm & IMM_NSW;
  return op_info((enum op)in->op)->pure && !is_signed;
}

// Goes on to the next instruction that does more than compute; its pc, or 0.
static uint32_t go_on(struct walk *w, uint32_t pc) {
  for (unsigned n = 0; n < MAX_STEPS; n++) {
    const struct insn *in = at(w, pc);
    bool is_yield = in->op == OP_sys && in->imm == BI_yield;
    if (in->op == OP_jmp) {
      pc = (uint32_t)in->imm;
    } else if (only_computes(in)) {
      set_results(w, in, compute(w, in));
      pc++;
    } else if (is_yield) {
      pc++;
    } else {
      return pc;
    }
  }
  return 0;
}

// -- accesses

static bool is_word(const struct walk *w, const struct insn *in,
                    unsigned address) {
  struct imm_access a = imm_access_of(in->imm);
  return a.size == 4 && a.order != ORD_NA && !a.how && address == w->address &&
         w->slots[address].kind != VALUE && w->slots[address].kind != USELESS &&
         w->slots[address].kind != COMPARED;
}

// Follows the update at pc, which is `rmw_load; ...; rmw_store` of the value
// plus a constant; the pc after it, or 0.
static uint32_t follow_update(struct walk *w, uint32_t pc, uint32_t *add) {
  const struct insn *in = at(w, pc);
  if (in->op != OP_rmw_load || !is_word(w, in, in->b))
    return 0;
  forget_value(w);
  set_results(w, in, (struct sym){.kind = VALUE});
  uint32_t end = go_on(w, pc + 1);
  const struct insn *store = at(w, end);
  if (!end || store->op != OP_rmw_store || !is_word(w, store, store->a) ||
      w->slots[store->b].kind != VALUE)
    return 0;
  *add = w->slots[store->b].plus;
  return end + 1;
}

struct test {
  uint32_t pc;      // of the branch
  uint32_t in, out; // where it goes when the value is in the range, or not
  int32_t least, most;
};

// Goes on to a branch on the value.
static bool follow_test(struct walk *w, uint32_t pc, struct test *t) {
  t->pc = go_on(w, pc);
  const struct insn *br = at(w, t->pc);
  if (!t->pc || br->op != OP_br || w->slots[br->a].kind != COMPARED)
    return false;
  const struct sym *s = &w->slots[br->a];
  uint32_t yes = (uint32_t)br->imm, no = (uint32_t)(br->imm >> 32);
  t->in = s->is_outside ? no : yes;
  t->out = s->is_outside ? yes : no;
  t->least = s->least;
  t->most = s->most;
  return true;
}

// The same test, with in and out swapped if the other side can be a range.
static bool turn(struct test *t) {
  uint32_t in = t->in;
  if (t->least != INT32_MIN && t->most != INT32_MAX)
    return false;
  if (t->least == INT32_MIN) {
    if (t->most == INT32_MAX)
      return false;
    t->least = t->most + 1;
    t->most = INT32_MAX;
  } else {
    t->most = t->least - 1;
    t->least = INT32_MIN;
  }
  t->in = t->out;
  t->out = in;
  return true;
}

// -- the loop

// Follows `while (*a is not in the range, or in a part of it);` from pc on; the
// pc after it, or 0. What it waits for goes into `u`.
static uint32_t follow_wait(struct walk *w, uint32_t pc,
                            const struct test *range, struct undo *u) {
  uint32_t load = go_on(w, pc);
  const struct insn *in = at(w, load);
  struct test t;
  if (!load || in->op != OP_load || !is_word(w, in, in->b))
    return 0;
  forget_value(w);
  set_results(w, in, (struct sym){.kind = VALUE});
  if (!follow_test(w, load + 1, &t))
    return 0;
  for (unsigned i = 0; i < 2; i++) {
    struct walk back = *w;
    if (t.least >= range->least && t.most <= range->most &&
        go_on(&back, t.out) == load) {
      u->wait_least = t.least;
      u->wait_most = t.most;
      return t.in;
    }
    if (!turn(&t))
      return 0;
  }
  return 0;
}

// Does the way from a failed test, which is `range`, lead back to it?
static bool follow_failure(struct walk *w, const struct test *range,
                           struct undo *u) {
  uint32_t undone, again;
  struct test t;
  uint32_t pc = go_on(w, range->out);
  pc = pc ? follow_update(w, pc, &undone) : 0;
  if (!pc || undone != 0 - u->add)
    return false;
  pc = follow_wait(w, pc, range, u);
  pc = pc ? go_on(w, pc) : 0;
  if (!pc || imm_access_of(at(w, pc)->imm).order != ORD_ACQ)
    return false;
  pc = follow_update(w, pc, &again);
  return pc && again == u->add && follow_test(w, pc, &t) && t.pc == range->pc;
}

// -- what is used later

// Does the code from pc on read anything that the walk has changed?
static bool is_used(const struct walk *w, uint32_t pc) {
  for (unsigned i = 0; i < w->f->nregs; i++)
    if (w->slots[i].kind != BEFORE && slot_is_needed(w->p, w->f, pc, i))
      return true;
  return false;
}

// -- the answers

static bool begin(struct walk *w, const struct prog *p, uint32_t pc) {
  *w = (struct walk){.p = p, .f = prog_func_around(p, pc)};
  if (p->code.at[pc].op != OP_rmw_load || !w->f ||
      w->f->nregs + w->f->nconsts > MAX_SLOTS)
    return false;
  w->address = p->code.at[pc].b;
  for (uint32_t i = 0; i < w->f->nconsts; i++)
    w->slots[w->f->nregs + i] =
        (struct sym){.kind = CONSTANT,
                     .plus = (uint32_t)p->consts.at[w->f->first_const + i]};
  return true;
}

struct undo undo_find(const struct prog *p, uint32_t rmw_load) {
  struct walk w;
  struct test t;
  struct undo u = {0};
  if (!begin(&w, p, rmw_load) ||
      imm_access_of(p->code.at[rmw_load].imm).order != ORD_ACQ)
    return (struct undo){0};
  uint32_t pc = follow_update(&w, rmw_load, &u.add);
  if (!pc || !u.add || !follow_test(&w, pc, &t))
    return (struct undo){0};
  for (unsigned i = 0; i < 2; i++) {
    struct walk failure = w;
    if (follow_failure(&failure, &t, &u) && !is_used(&failure, t.in)) {
      u.least = t.least;
      u.most = t.most;
      u.success = t.in;
      return u;
    }
    if (!turn(&t))
      break;
  }
  return (struct undo){0};
}

bool undo_is_blind(const struct prog *p, uint32_t rmw_load) {
  struct walk w;
  uint32_t add;
  if (!begin(&w, p, rmw_load))
    return false;
  uint32_t pc = follow_update(&w, rmw_load, &add);
  return pc && !is_used(&w, pc);
}
