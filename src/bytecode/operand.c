// SPDX-License-Identifier: MIT
// The table of instructions as data, and the operands of an instruction.
#include "bytecode/operand.h"

#include <stdlib.h>

const struct op_info op_infos[OP_COUNT] = {
#define FLAG_V .visible = true
#define FLAG_E .ends_block = true
#define FLAG_P .pure = true
#define FLAG_0 .pure = false
#define KIND_D 'D'
#define KIND_S 'S'
#define KIND_L 'L'
#define KIND_M 'M'
#define KIND_I 'I'
#define KIND__ '_'
#define OP(name, ka, kb, kc, kimm, flag, meaning)                              \
  [OP_##name] = {KIND_##ka, KIND_##kb, KIND_##kc, IMM_##kimm, FLAG_##flag},
#include "bytecode/op.def"
#undef OP
};

static const char *const names[OP_COUNT] = {
#define OP(name, ka, kb, kc, kimm, flag, meaning) [OP_##name] = #name,
#include "bytecode/op.def"
#undef OP
};

static const char *const builtins[BI_COUNT] = {
#define BUILTIN(name, args, results, meaning) [BI_##name] = #name,
#include "bytecode/builtin.def"
#undef BUILTIN
};

const char *op_name(enum op op) {
  check(op < OP_COUNT);
  return names[op];
}

const char *builtin_name(enum builtin b) {
  check(b < BI_COUNT);
  return builtins[b];
}

// Length of the run that starts at an operand of kind L or M.
static uint32_t run_length(const struct insn *in, char kind) {
  switch (in->op) {
  case OP_movn:
    return in->c;
  case OP_call:
  case OP_callr:
  case OP_sys:
    return kind == 'M' ? call_results(in) : call_args(in);
  case OP_ret:
    return in->b;
  case OP_cas_ok:
    return (in->imm & 0xff) == 128 ? 2 : 1;
  default:
    if (op_info(in->op)->imm == IMM_ACCESS)
      return imm_access_of(in->imm).size == 16 ? 2 : 1;
    return 2; // *_ov
  }
}

unsigned insn_operands(const struct insn *in, struct operand out[4]) {
  const struct op_info *info = op_info(in->op);
  const char kind[3] = {info->a, info->b, info->c};
  const uint16_t slot[3] = {in->a, in->b, in->c};
  unsigned n = 0;
  for (unsigned i = 0; i < 3; i++) {
    bool is_run = kind[i] == 'L' || kind[i] == 'M';
    bool is_slot = is_run || kind[i] == 'D' || kind[i] == 'S';
    uint32_t count = is_run ? run_length(in, kind[i]) : is_slot;
    if (count)
      out[n++] = (struct operand){
          (char)('a' + i), kind[i] == 'D' || kind[i] == 'M', slot[i], count};
  }
  if (info->imm == IMM_REG)
    out[n++] = (struct operand){'i', false, (uint32_t)in->imm, 1};
  return n;
}

static bool has_slot(const struct insn *in, unsigned slot, bool written) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  for (unsigned i = 0; i < n; i++)
    if (o[i].written == written && slot - o[i].first < o[i].count)
      return true;
  return false;
}

bool insn_reads(const struct insn *in, unsigned slot) {
  return has_slot(in, slot, /*written=*/false);
}

bool insn_writes(const struct insn *in, unsigned slot) {
  return has_slot(in, slot, /*written=*/true);
}

static bool is_read_from(const struct prog *p, const struct func *f,
                         uint32_t pc, unsigned slot, uint8_t *seen) {
  for (;;) {
    if (pc < f->first || pc >= f->end)
      return true; // not known
    const struct insn *in = &p->code.at[pc];
    if (insn_reads(in, slot) || in->op == OP_switch || in->op == OP_ijmp)
      return true; // or not known
    if (seen[pc - f->first] || insn_writes(in, slot))
      return false;
    seen[pc - f->first] = 1;
    if (in->op == OP_br &&
        is_read_from(p, f, (uint32_t)(in->imm >> 32), slot, seen))
      return true;
    if (in->op == OP_jmp || in->op == OP_br)
      pc = (uint32_t)in->imm;
    else if (op_info((enum op)in->op)->ends_block)
      return false;
    else
      pc++;
  }
}

bool slot_is_needed(const struct prog *p, const struct func *f, uint32_t pc,
                    unsigned slot) {
  uint8_t *seen = xcalloc(f->end - f->first, 1);
  bool is_needed = is_read_from(p, f, pc, slot, seen);
  free(seen);
  return is_needed;
}
