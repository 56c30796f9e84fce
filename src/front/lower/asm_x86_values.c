// SPDX-License-Identifier: MIT
// x86-64 instructions of inline assembly that only compute: shifts, rotations,
// extensions, conditional moves, sums with carry. None of them can be locked.
// Questions about the machine have the answer of one that has neither a clock
// nor anything beyond x86-64: rdtsc and cpuid yield zeros.
#include "base/finding.h"
#include "front/lower/asm.h"

#include <string.h>

struct value { // one instruction
  struct assembly *a;
  struct asm_place from, to;
  unsigned width;
  bool has_from;
  enum op op; // of its row
};

static vreg read_from(struct value *v, unsigned width) {
  return asm_read(v->a, &v->from, width,
                  v->a->clobbers_memory ? ORD_ACQ : ORD_RLX);
}

static vreg read_to(struct value *v) {
  return asm_read(v->a, &v->to, v->width, ORD_RLX);
}

static bool write_to(struct value *v, vreg result) {
  asm_write(v->a, &v->to, result, v->width, ORD_RLX, /*merges=*/true);
  return true;
}

// The processor looks at the last bits of the count only. Of a count of 0 the
// flags are those of before, so they are known only if it is a constant.
static bool count_of(struct value *v, vreg *ret) {
  struct lowering *l = v->a->l;
  if (v->width < 32)
    return false;
  vreg n =
      v->has_from ? asm_read(v->a, &v->from, 8, ORD_RLX) : lower_number(l, 1);
  *ret = lower_op(l, OP_and, n, lower_number(l, v->width - 1), 0);
  return true;
}

static bool do_shift(struct value *v) {
  vreg n;
  if (!count_of(v, &n))
    return false;
  vreg result = lower_op(v->a->l, v->op, read_to(v), n, v->width);
  write_to(v, result);
  if (!v->has_from ||
      (v->from.kind == IS_NUMBER && v->from.number % v->width != 0))
    asm_x86_flags(v->a, result, v->width);
  else
    asm_forget_flags(v->a);
  return true;
}

static bool do_rotate(struct value *v) {
  struct lowering *l = v->a->l;
  vreg n;
  if (!count_of(v, &n))
    return false;
  vreg old = read_to(v);
  vreg rest =
      lower_op(l, OP_and, lower_op(l, OP_sub, lower_number(l, 0), n, 64),
               lower_number(l, v->width - 1), 0);
  enum op back = v->op == OP_shl ? OP_lshr : OP_shl;
  write_to(v, lower_op(l, OP_or, lower_op(l, v->op, old, n, v->width),
                       lower_op(l, back, old, rest, v->width), 0));
  asm_forget_flags(v->a);
  return true;
}

static bool do_neg(struct value *v) {
  struct lowering *l = v->a->l;
  vreg zero = lower_number(l, 0), old = read_to(v);
  vreg result = lower_op(l, OP_sub, zero, old, v->width);
  write_to(v, result);
  asm_x86_sum_flags(v->a, zero, old, result, v->width, /*is_difference=*/true);
  v->a->flags[FLAG_BELOW] = lower_op(l, OP_ne, old, zero, v->width);
  return true;
}

static bool do_swap_bytes(struct value *v) {
  return v->width >= 32 && v->to.kind == IN_CELL &&
         write_to(v, lower_op(v->a->l, OP_bswap, read_to(v), 0, v->width));
}

static bool do_multiply(struct value *v) {
  if (v->to.kind != IN_CELL)
    return false;
  vreg with = read_from(v, v->width);
  write_to(v, lower_op(v->a->l, OP_mul, read_to(v), with, v->width));
  asm_forget_flags(v->a);
  return true;
}

static bool do_address(struct value *v) {
  return v->from.kind == IN_MEMORY && v->to.kind == IN_CELL && v->width == 64 &&
         write_to(v, v->from.address);
}

// What the last bits of a sum's operands and of its result say is carried: two
// of them, or one that the result has lost; of x - y, those of -x-1.
static vreg carry_of(struct value *v, vreg x, vreg y, vreg result) {
  struct lowering *l = v->a->l;
  vreg all = lower_number(l, UINT64_MAX);
  if (v->op == OP_sub)
    x = lower_op(l, OP_xor, x, all, 0);
  else
    result = lower_op(l, OP_xor, result, all, 0);
  vreg both = lower_op(l, OP_and, x, y, 0), any = lower_op(l, OP_or, x, y, 0);
  vreg lost = lower_op(l, OP_and, any, result, 0);
  return lower_op(l, OP_slt, lower_op(l, OP_or, both, lost, 0),
                  lower_number(l, 0), v->width);
}

// adc, sbb. Of a register and itself, what sbb leaves is the carry alone,
// whatever the register held.
static bool do_carry(struct value *v) {
  struct lowering *l = v->a->l;
  vreg carry = asm_flag(v->a, "c");
  bool is_same = v->op == OP_sub && v->from.kind == IN_CELL &&
                 v->to.kind == IN_CELL && v->from.cell == v->to.cell;
  vreg with = is_same ? lower_number(l, 0) : read_from(v, v->width);
  vreg old = is_same ? lower_number(l, 0) : read_to(v);
  vreg result = lower_op(l, v->op, lower_op(l, v->op, old, with, v->width),
                         carry, v->width);
  write_to(v, result);
  asm_x86_sum_flags(v->a, old, with, result, v->width, v->op == OP_sub);
  v->a->flags[FLAG_BELOW] = carry_of(v, old, with, result);
  return true;
}

// bt: the bit's number counts within the operand, as for bts.
static bool do_bit_test(struct value *v) {
  struct lowering *l = v->a->l;
  vreg bit = asm_read(v->a, &v->from, v->width, ORD_RLX);
  vreg down = lower_op(l, OP_lshr, read_to(v), bit, v->width);
  asm_forget_flags(v->a);
  v->a->flags[FLAG_BELOW] = lower_op(l, OP_and, down, lower_number(l, 1), 0);
  return true;
}

static const struct {
  const char *name; // without the letter of its size
  bool (*make)(struct value *v);
  enum op op;
  unsigned least, most; // operands
} rows[] = {
    {"shl", do_shift, OP_shl, 1, 2},
    {"sal", do_shift, OP_shl, 1, 2},
    {"shr", do_shift, OP_lshr, 1, 2},
    {"sar", do_shift, OP_ashr, 1, 2},
    {"rol", do_rotate, OP_shl, 1, 2},
    {"ror", do_rotate, OP_lshr, 1, 2},
    {"neg", do_neg, OP_sub, 1, 1},
    {"bswap", do_swap_bytes, OP_bswap, 1, 1},
    {"imul", do_multiply, OP_mul, 2, 2},
    {"lea", do_address, OP_add, 2, 2},
    {"adc", do_carry, OP_add, 2, 2},
    {"sbb", do_carry, OP_sub, 2, 2},
    {"bt", do_bit_test, OP_lshr, 2, 2},
};

static bool places(struct value *v, const struct asm_statement *s) {
  v->has_from = s->nwords == 2;
  if (s->nwords < 1 || s->nwords > 2 ||
      !asm_x86_place(v->a, s->words[s->nwords - 1], &v->to) ||
      (v->has_from && !asm_x86_place(v->a, s->words[0], &v->from)))
    return false;
  if (!v->width)
    v->width = v->to.width ? v->to.width : v->from.width;
  return v->width == 8 || v->width == 16 || v->width == 32 || v->width == 64;
}

// movzbl, movslq: two widths at the end of the name.
static bool do_extend(struct value *v, const char *op) {
  struct lowering *l = v->a->l;
  unsigned from = isa_x86_width(op[4]);
  v->width = isa_x86_width(op[5]);
  if (!from || from >= v->width)
    return false;
  vreg x = read_from(v, from);
  return write_to(
      v, op[3] == 's' ? lower_op(l, OP_sext, x, 0, from | v->width << 8) : x);
}

// cmovne; cmovnel says its size as well.
static bool do_conditional_move(struct value *v, const char *name) {
  struct isa_condition ignored;
  char condition[8] = "";
  size_t n = strlen(name);
  if (n >= sizeof condition)
    return false;
  memcpy(condition, name, n);
  if (n && !isa_x86_condition(condition, &ignored))
    condition[n - 1] = 0;
  vreg is_set = asm_flag(v->a, condition);
  vreg with = read_from(v, v->width);
  return v->to.kind == IN_CELL &&
         write_to(v, lower_op(v->a->l, OP_select, is_set, with, read_to(v)));
}

static bool set_zeros(struct assembly *a, const char *const *names) {
  for (; *names; names++)
    lower_move(a->l, a->cells[asm_cell(a, *names)].now, lower_number(a->l, 0),
               1);
  return true;
}

static bool stop_here(struct assembly *a) {
  lower_emit(a->l, OP_trap, 0, 0, 0, FIND_ABORT);
  code_place(a->l->c, code_label(a->l->c)); // what follows is a new block
  return true;
}

bool asm_x86_value(struct assembly *a, const struct asm_statement *s) {
  static const char *const time[] = {"ax", "dx", NULL},
                           *const time_and_cpu[] = {"ax", "dx", "cx", NULL},
                           *const cpu[] = {"ax", "bx", "cx", "dx", NULL};
  struct value v = {.a = a};
  if (a->is_locked)
    return false;
  if (s->nwords == 0)
    return strcmp(s->op, "rdtsc") == 0    ? set_zeros(a, time)
           : strcmp(s->op, "rdtscp") == 0 ? set_zeros(a, time_and_cpu)
           : strcmp(s->op, "cpuid") == 0  ? set_zeros(a, cpu)
           : strcmp(s->op, "ud2") == 0 || strcmp(s->op, "int3") == 0
               ? stop_here(a)
               : false;
  if (strncmp(s->op, "cmov", 4) == 0)
    return s->nwords == 2 && places(&v, s) &&
           do_conditional_move(&v, s->op + 4);
  if (strlen(s->op) == 6 &&
      (strncmp(s->op, "movz", 4) == 0 || strncmp(s->op, "movs", 4) == 0))
    return s->nwords == 2 && places(&v, s) && do_extend(&v, s->op);
  for (size_t i = 0; i < LENGTH(rows); i++) {
    size_t n = strlen(rows[i].name);
    if (strncmp(s->op, rows[i].name, n) != 0 || (s->op[n] && s->op[n + 1]))
      continue;
    v.width = isa_x86_width(s->op[n]);
    if (s->op[n] && !v.width)
      continue;
    v.op = rows[i].op;
    return s->nwords >= rows[i].least && s->nwords <= rows[i].most &&
           places(&v, s) && rows[i].make(&v);
  }
  return false;
}
