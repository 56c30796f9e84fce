// SPDX-License-Identifier: MIT
// x86-64 instructions of inline assembly, in AT&T's order: the target comes
// last. Memory orders are the strongest of C11 that the instruction is at least
// as strong as: a locked instruction is seq_cst, a load acquires, a store
// releases. Without a clobber of memory the compiler may move the statement, so
// loads and stores are relaxed then.
#include "front/lower/asm.h"

#include <stdlib.h>
#include <string.h>

// -- operands

static bool register_place(struct assembly *a, const char *name,
                           struct asm_place *ret) {
  unsigned width;
  const char *whole = isa_x86_register(name, &width);
  // The compiler's stack is not the program's here.
  if (!whole || strcmp(whole, "rsp") == 0 || strcmp(whole, "rbp") == 0)
    return false;
  // Constraints call the first ones by their names of 16 bits.
  const char *cell = whole + (whole[1] >= 'a');
  *ret = (struct asm_place){
      .kind = IN_CELL, .cell = asm_cell(a, cell), .width = width};
  return true;
}

// $N, %reg
static bool simple_place(struct assembly *a, const char *word,
                         struct asm_place *ret) {
  return asm_operand_place(a, word, ret) ||
         (*word == '%' && register_place(a, word + 1, ret));
}

// $$7, 8(%reg), ($1)
bool asm_x86_place(struct assembly *a, const char *word,
                   struct asm_place *ret) {
  if (strncmp(word, "$$", 2) == 0) {
    char *end;
    *ret = (struct asm_place){.kind = IS_NUMBER,
                              .number = strtoull(word + 2, &end, 0)};
    return *end == 0;
  }
  const char *open = strchr(word, '(');
  if (!open)
    return simple_place(a, word, ret);
  char *end, inner[40] = "";
  uint64_t offset = (uint64_t)strtoll(word, &end, 0);
  struct asm_place base;
  size_t n = strcspn(open + 1, ")");
  memcpy(inner, open + 1, n);
  if (end != open || open[1 + n] != ')' || open[2 + n] ||
      !simple_place(a, inner, &base) || base.kind != IN_CELL)
    return false;
  *ret = (struct asm_place){
      .kind = IN_MEMORY,
      .address = lower_offset(a->l, a->cells[base.cell].now, offset)};
  return true;
}

// -- instructions

enum x86_op {
  X86_MOV,
  X86_XCHG,
  X86_XADD,
  X86_CMPXCHG,
  X86_UPDATE, // add and the like: how is an LLVMAtomicRMWBinOp
  X86_STEP,   // inc, dec: the same, with 1
  X86_NOT,
  X86_BIT,
  X86_CMP,
  X86_TEST,
  X86_FIRST, // bsf, bsr
  X86_COUNT,
};

static const struct x86_row {
  const char *name; // without the letter of its size
  enum x86_op op;
  unsigned how; // LLVMAtomicRMWBinOp or, of those that count bits, enum op
} rows[] = {
    {"mov", X86_MOV, 0},
    {"xchg", X86_XCHG, LLVMAtomicRMWBinOpXchg},
    {"xadd", X86_XADD, LLVMAtomicRMWBinOpAdd},
    {"cmpxchg", X86_CMPXCHG, 0},
    {"add", X86_UPDATE, LLVMAtomicRMWBinOpAdd},
    {"sub", X86_UPDATE, LLVMAtomicRMWBinOpSub},
    {"and", X86_UPDATE, LLVMAtomicRMWBinOpAnd},
    {"or", X86_UPDATE, LLVMAtomicRMWBinOpOr},
    {"xor", X86_UPDATE, LLVMAtomicRMWBinOpXor},
    {"inc", X86_STEP, LLVMAtomicRMWBinOpAdd},
    {"dec", X86_STEP, LLVMAtomicRMWBinOpSub},
    {"not", X86_NOT, LLVMAtomicRMWBinOpXor},
    {"bts", X86_BIT, LLVMAtomicRMWBinOpOr},
    {"btr", X86_BIT, LLVMAtomicRMWBinOpAnd},
    {"btc", X86_BIT, LLVMAtomicRMWBinOpXor},
    {"cmp", X86_CMP, 0},
    {"test", X86_TEST, 0},
    {"bsf", X86_FIRST, OP_ctz},
    {"bsr", X86_FIRST, OP_clz},
    {"tzcnt", X86_COUNT, OP_ctz},
    {"lzcnt", X86_COUNT, OP_clz},
    {"popcnt", X86_COUNT, OP_popcount},
};

// The row, and the width that the last letter of the mnemonic says (0: none).
static const struct x86_row *find_row(const char *op, unsigned *ret_width) {
  for (size_t i = 0; i < LENGTH(rows); i++) {
    size_t n = strlen(rows[i].name);
    if (strncmp(op, rows[i].name, n) != 0 || (op[n] && op[n + 1]))
      continue;
    *ret_width = isa_x86_width(op[n]);
    if (!op[n] || *ret_width)
      return &rows[i];
  }
  return NULL;
}

struct x86 { // one instruction
  struct assembly *a;
  struct asm_place from, to;
  unsigned width;
  bool has_from;
};

static vreg computed(struct x86 *x, LLVMAtomicRMWBinOp how, vreg old,
                     vreg arg) {
  struct lowering *l = x->a->l;
  switch ((int)how) {
  case LLVMAtomicRMWBinOpAdd:
    return lower_op(l, OP_add, old, arg, x->width);
  case LLVMAtomicRMWBinOpSub:
    return lower_op(l, OP_sub, old, arg, x->width);
  case LLVMAtomicRMWBinOpAnd:
    return lower_op(l, OP_and, old, arg, 0);
  case LLVMAtomicRMWBinOpOr:
    return lower_op(l, OP_or, old, arg, 0);
  case LLVMAtomicRMWBinOpXor:
    return lower_op(l, OP_xor, old, arg, 0);
  default:
    return arg;
  }
}

// The last bit of v.
static vreg is_negative(struct assembly *a, vreg v, unsigned width) {
  return lower_op(a->l, OP_slt, v, lower_number(a->l, 0), width);
}

void asm_x86_flags(struct assembly *a, vreg result, unsigned width) {
  asm_forget_flags(a);
  a->flags[FLAG_ZERO] =
      lower_op(a->l, OP_eq, result, lower_number(a->l, 0), width);
  a->flags[FLAG_SIGN] = is_negative(a, result, width);
}

// A sum overflows if its sign is neither operand's, a difference if that of x
// is neither y's nor the result's.
void asm_x86_sum_flags(struct assembly *a, vreg x, vreg y, vreg result,
                       unsigned width, bool is_difference) {
  struct lowering *l = a->l;
  asm_x86_flags(a, result, width);
  vreg one = lower_op(l, OP_xor, x, result, 0);
  vreg other = lower_op(l, OP_xor, y, is_difference ? x : result, 0);
  vreg overflow = is_negative(a, lower_op(l, OP_and, one, other, 0), width);
  a->flags[FLAG_OVERFLOW] = overflow;
  a->flags[FLAG_LESS] = lower_op(l, OP_xor, a->flags[FLAG_SIGN], overflow, 0);
}

static void compare(struct x86 *x, vreg what, vreg with) {
  struct assembly *a = x->a;
  struct lowering *l = a->l;
  asm_x86_sum_flags(a, what, with, lower_op(l, OP_sub, what, with, x->width),
                    x->width, /*is_difference=*/true);
  a->flags[FLAG_BELOW] = lower_op(l, OP_ult, what, with, x->width);
  a->flags[FLAG_LESS] = lower_op(l, OP_slt, what, with, x->width);
}

// What an update leaves, old being what the target held; inc and dec leave the
// carry alone.
static void flags_of_update(struct x86 *x, LLVMAtomicRMWBinOp how, vreg old,
                            vreg arg, bool has_carry) {
  struct assembly *a = x->a;
  struct lowering *l = a->l;
  vreg result = computed(x, how, old, arg), carry = a->flags[FLAG_BELOW];
  if (how == LLVMAtomicRMWBinOpSub) {
    compare(x, old, arg);
  } else if (how == LLVMAtomicRMWBinOpAdd) {
    asm_x86_sum_flags(a, old, arg, result, x->width, /*is_difference=*/false);
    a->flags[FLAG_BELOW] = lower_op(l, OP_ult, result, old, x->width);
  } else {
    asm_x86_flags(a, result, x->width);
    a->flags[FLAG_BELOW] = a->flags[FLAG_OVERFLOW] = lower_number(l, 0);
    a->flags[FLAG_LESS] = a->flags[FLAG_SIGN];
  }
  if (!has_carry)
    a->flags[FLAG_BELOW] = carry;
}

// Changes the target, not the flags; yields what it held before.
static vreg update(struct x86 *x, LLVMAtomicRMWBinOp how, vreg arg) {
  struct lowering *l = x->a->l;
  bool is_atomic = x->a->is_locked || how == LLVMAtomicRMWBinOpXchg;
  vreg old = code_reg(l->c);
  if (x->to.kind == IN_MEMORY && is_atomic) {
    lower_rmw(l, how, old, x->to.address, arg,
              asm_access(x->a, &x->to, x->width, ORD_SC));
    own_order(l, l->inst, x->to.address, 0, ORD_SC, ORD_NA);
  } else {
    lower_move(l, old, asm_read(x->a, &x->to, x->width, ORD_RLX), 1);
    asm_write(x->a, &x->to, computed(x, how, old, arg), x->width, ORD_RLX,
              /*merges=*/true);
  }
  return old;
}

static bool do_mov(struct x86 *x) {
  struct assembly *a = x->a;
  bool orders = a->clobbers_memory;
  vreg value = asm_read(a, &x->from, x->width, orders ? ORD_ACQ : ORD_RLX);
  asm_write(a, &x->to, value, x->width, orders ? ORD_REL : ORD_RLX,
            /*merges=*/true);
  return true;
}

// The old value of the target goes into the first operand.
static bool do_exchange(struct x86 *x, LLVMAtomicRMWBinOp how) {
  if (x->from.kind == IN_MEMORY) { // xchg: either may be memory
    struct asm_place swap = x->from;
    x->from = x->to;
    x->to = swap;
  }
  if (x->from.kind != IN_CELL)
    return false;
  vreg arg = asm_read(x->a, &x->from, x->width, ORD_RLX);
  vreg old = update(x, how, arg);
  if (how != LLVMAtomicRMWBinOpXchg)
    flags_of_update(x, how, old, arg, /*has_carry=*/true);
  asm_write(x->a, &x->from, old, x->width, ORD_RLX, /*merges=*/true);
  return true;
}

static bool do_cmpxchg(struct x86 *x) {
  struct assembly *a = x->a;
  struct lowering *l = a->l;
  struct asm_place ax = {.kind = IN_CELL, .cell = asm_cell(a, "ax")};
  if (x->to.kind != IN_MEMORY || !a->is_locked)
    return false;
  vreg expected = asm_read(a, &ax, x->width, ORD_RLX);
  vreg wanted = asm_read(a, &x->from, x->width, ORD_RLX);
  vreg old = code_reg(l->c), ok = code_reg(l->c);
  lower_cas(l, old, ok, x->to.address, expected, wanted,
            asm_access(a, &x->to, x->width, ORD_SC));
  own_order(l, l->inst, x->to.address, ok, ORD_SC, ORD_SC);
  compare(x, expected, old);
  asm_write(a, &ax, old, x->width, ORD_RLX, /*merges=*/true);
  a->flags[FLAG_ZERO] = ok;
  return true;
}

static vreg cell_pair(struct assembly *a, const char *low, const char *high) {
  vreg pair = code_regs(a->l->c, 2);
  lower_move(a->l, pair, a->cells[asm_cell(a, low)].now, 1);
  lower_move(a->l, pair + 1, a->cells[asm_cell(a, high)].now, 1);
  return pair;
}

static bool do_cmpxchg16b(struct assembly *a, const struct asm_statement *s) {
  struct lowering *l = a->l;
  struct asm_place to;
  if (s->nwords != 1 || !asm_x86_place(a, s->words[0], &to) ||
      to.kind != IN_MEMORY || !a->is_locked)
    return false;
  vreg expected = cell_pair(a, "ax", "dx"), wanted = cell_pair(a, "bx", "cx");
  vreg old = code_regs(l->c, 2), ok = code_reg(l->c);
  lower_cas(l, old, ok, to.address, expected, wanted,
            asm_access(a, &to, 128, ORD_SC));
  own_order(l, l->inst, to.address, ok, ORD_SC, ORD_SC);
  lower_move(l, a->cells[asm_cell(a, "ax")].now, old, 1);
  lower_move(l, a->cells[asm_cell(a, "dx")].now, old + 1, 1);
  asm_forget_flags(a);
  a->flags[FLAG_ZERO] = ok;
  return true;
}

// The bit's number counts within the operand: the forms that reach beyond it
// are not understood, and a bit that is too large is a finding (shift).
static bool do_bit(struct x86 *x, LLVMAtomicRMWBinOp how) {
  struct lowering *l = x->a->l;
  vreg bit = asm_read(x->a, &x->from, x->width, ORD_RLX);
  vreg mask = lower_op(l, OP_shl, lower_number(l, 1), bit, x->width);
  uint64_t all = x->width < 64 ? (UINT64_C(1) << x->width) - 1 : UINT64_MAX;
  vreg arg = how == LLVMAtomicRMWBinOpAnd
                 ? lower_op(l, OP_xor, mask, lower_number(l, all), 0)
                 : mask;
  vreg old = update(x, how, arg);
  asm_forget_flags(x->a);
  x->a->flags[FLAG_BELOW] =
      lower_op(l, OP_ne, lower_op(l, OP_and, old, mask, 0), lower_number(l, 0),
               x->width);
  return true;
}

// What the target holds is compared with the first operand, or their common
// bits with 0.
static void do_cmp(struct x86 *x, bool is_test) {
  struct assembly *a = x->a;
  enum order order = a->clobbers_memory ? ORD_ACQ : ORD_RLX;
  vreg with = asm_read(a, &x->from, x->width, order),
       what = asm_read(a, &x->to, x->width, order);
  if (is_test)
    flags_of_update(x, LLVMAtomicRMWBinOpAnd, what, with, /*has_carry=*/true);
  else
    compare(x, what, with);
}

static void do_update(struct x86 *x, LLVMAtomicRMWBinOp how, vreg arg,
                      bool has_carry) {
  vreg old = update(x, how, arg);
  flags_of_update(x, how, old, arg, has_carry);
}

// The number of the first or last one, or how many there are. Where there is
// none, bsf and bsr leave their target alone, as all processors do.
static bool do_count(struct x86 *x, enum op op, bool is_first) {
  struct assembly *a = x->a;
  struct lowering *l = a->l;
  if (x->to.kind != IN_CELL || a->is_locked)
    return false;
  vreg from =
      asm_read(a, &x->from, x->width, a->clobbers_memory ? ORD_ACQ : ORD_RLX);
  vreg is_none = lower_op(l, OP_eq, from, lower_number(l, 0), x->width);
  vreg n = lower_op(l, op, from, 0, x->width);
  if (is_first && op == OP_clz)
    n = lower_op(l, OP_sub, lower_number(l, x->width - 1), n, x->width);
  if (is_first)
    n = lower_op(l, OP_select, is_none, asm_read(a, &x->to, x->width, ORD_RLX),
                 n);
  asm_write(a, &x->to, n, x->width, ORD_RLX, /*merges=*/true);
  asm_forget_flags(a);
  a->flags[FLAG_ZERO] =
      is_first || op == OP_popcount
          ? is_none
          : lower_op(l, OP_eq, n, lower_number(l, 0), x->width);
  if (!is_first)
    a->flags[FLAG_BELOW] = op == OP_popcount ? lower_number(l, 0) : is_none;
  return true;
}

static bool do_row(struct x86 *x, const struct x86_row *row) {
  struct lowering *l = x->a->l;
  uint64_t all = x->width < 64 ? (UINT64_C(1) << x->width) - 1 : UINT64_MAX;
  switch (row->op) {
  case X86_MOV:
    return x->has_from && do_mov(x);
  case X86_XCHG:
  case X86_XADD:
    return x->has_from && do_exchange(x, (LLVMAtomicRMWBinOp)row->how);
  case X86_CMPXCHG:
    return x->has_from && do_cmpxchg(x);
  case X86_UPDATE:
    if (x->has_from)
      do_update(x, (LLVMAtomicRMWBinOp)row->how,
                asm_read(x->a, &x->from, x->width, ORD_RLX),
                /*has_carry=*/true);
    return x->has_from;
  case X86_STEP:
    do_update(x, (LLVMAtomicRMWBinOp)row->how, lower_number(l, 1),
              /*has_carry=*/false);
    return !x->has_from;
  case X86_NOT: // leaves the flags alone
    update(x, (LLVMAtomicRMWBinOp)row->how, lower_number(l, all));
    return !x->has_from;
  case X86_BIT:
    return x->has_from && do_bit(x, (LLVMAtomicRMWBinOp)row->how);
  case X86_CMP:
  case X86_TEST:
    if (x->has_from)
      do_cmp(x, row->op == X86_TEST);
    return x->has_from && !x->a->is_locked;
  case X86_FIRST:
  case X86_COUNT:
    return x->has_from && do_count(x, (enum op)row->how, row->op == X86_FIRST);
  }
  return false;
}

// setz and friends write one byte.
static bool do_set(struct assembly *a, const struct asm_statement *s) {
  struct asm_place to;
  if (s->nwords != 1 || !asm_x86_place(a, s->words[0], &to))
    return false;
  asm_write(a, &to, asm_flag(a, s->op + 3), 8, ORD_RLX, /*merges=*/true);
  return true;
}

// mov %fs:0, reg: the first word of what the system keeps of a thread is its
// own address, by which code tells threads apart. Nothing is known of the other
// words; that the address is 0 may be known only when the statement is reached.
static bool do_thread_word(struct assembly *a, const struct asm_statement *s) {
  struct lowering *l = a->l;
  struct asm_place to, at;
  const char *word = s->words[0] + strlen("%fs:");
  if (s->nwords != 2 || !asm_x86_place(a, s->words[1], &to) ||
      to.kind != IN_CELL || to.width != 64)
    return false;
  if (strcmp(word, "0") != 0) {
    if (!asm_x86_place(a, word, &at) || at.kind != IN_MEMORY)
      return false;
    label_id other = code_label(l->c), first = code_label(l->c);
    lower_emit(l, OP_br, at.address, 0, 0, imm_targets(other, first));
    code_place(l->c, other);
    lower_unsupported(l,
                      "a word at %%fs: other than the first is not supported");
    code_place(l->c, first);
  }
  asm_write(a, &to, lower_thread_pointer(l), 64, ORD_RLX, /*merges=*/false);
  return true;
}

static bool do_instruction(struct assembly *a, const struct asm_statement *s) {
  unsigned width;
  const struct x86_row *row = find_row(s->op, &width);
  struct x86 x = {.a = a, .has_from = s->nwords == 2};
  if (!row || s->nwords < 1 || s->nwords > 2 ||
      !asm_x86_place(a, s->words[s->nwords - 1], &x.to) ||
      (x.has_from && !asm_x86_place(a, s->words[0], &x.from)))
    return false;
  x.width = width;
  if (!x.width && x.to.kind == IN_CELL)
    x.width = x.to.width;
  if (!x.width && x.from.kind == IN_CELL)
    x.width = x.from.width;
  if (!x.width)
    x.width = x.to.width ? x.to.width : x.from.width;
  if (x.width != 8 && x.width != 16 && x.width != 32 && x.width != 64)
    return false;
  return do_row(&x, row);
}

static bool do_jump(struct assembly *a, unsigned i) {
  const struct asm_statement *s = &a->statements[i];
  return s->nwords == 1 &&
         asm_go_to(a, i, s->words[0],
                   strcmp(s->op, "jmp") == 0 ? VREG_NONE
                                             : asm_flag(a, s->op + 1));
}

static bool do_statement(struct assembly *a, unsigned i) {
  const struct asm_statement *s = &a->statements[i];
  if (!*s->op)
    return true;
  if (strcmp(s->op, "lock") == 0)
    return a->is_locked = true;
  bool ok =
      strcmp(s->op, "cmpxchg16b") == 0 ? do_cmpxchg16b(a, s)
      : strncmp(s->op, "set", 3) == 0  ? do_set(a, s)
      : *s->op == 'j'                  ? do_jump(a, i)
      : strncmp(s->op, "mov", 3) == 0 && s->nwords &&
              strncmp(s->words[0], "%fs:", 4) == 0
          ? do_thread_word(a, s)
          : asm_barrier(a->l, s) || do_instruction(a, s) || asm_x86_value(a, s);
  a->is_locked = false;
  return ok;
}

bool asm_x86(struct assembly *a) {
  // All registers first: a loop must not make one afresh in each round.
  struct asm_place ignored;
  for (unsigned i = 0; i < a->nstatements; i++)
    for (unsigned k = 0; k < a->statements[i].nwords; k++)
      if (*a->statements[i].words[k] == '%')
        asm_x86_place(a, a->statements[i].words[k], &ignored);
  for (unsigned i = 0; i < a->nstatements; i++) {
    asm_begin_statement(a, i);
    if (!do_statement(a, i))
      return asm_fail(a, a->statements[i].op);
    asm_end_statement(a);
  }
  return true;
}
