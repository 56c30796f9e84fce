// SPDX-License-Identifier: MIT
// Operands of all syntaxes (registers, immediates, brackets with offsets and
// indices, AT&T's parentheses) become the same few kinds.
#include "litmus/asm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The tokens of an instruction.
struct cursor {
  const struct token *at, *end;
};

static const struct token *peek(const struct cursor *c) {
  static const struct token none = {.kind = TOK_END, .at = ""};
  return c->at < c->end ? c->at : &none;
}

static bool accept(struct cursor *c, const char *text) {
  if (!scan_is(peek(c), text))
    return false;
  c->at++;
  return true;
}

static bool wrong_operand(struct build *l, const struct token *t) {
  char text[64];
  scan_copy(t, text, sizeof text);
  return build_refuse(l, "an operand expected, not '%s'",
                      t->kind == TOK_END ? "nothing" : text);
}

static bool close(struct build *l, struct cursor *c, const char *bracket) {
  if (accept(c, bracket))
    return true;
  return build_refuse(l, "'%s' expected after an address", bracket);
}

// -- operands

static bool read_register(struct build *l, const struct token *t,
                          uint32_t *name, unsigned *width) {
  char text[64], canonical[32];
  if (t->kind != TOK_NAME)
    return false;
  scan_copy(t, text, sizeof text);
  if (!register_name(l->t->arch, text, canonical, width))
    return false;
  *name = strings_add(&l->t->strings, canonical);
  return true;
}

// ['#' | '$'] ['-'] number. A number after $ is part of the name, and a
// register of MIPS.
static bool read_number(const struct build *l, struct cursor *c,
                        uint64_t *ret) {
  struct cursor n = *c;
  if (!accept(&n, "#"))
    accept(&n, "$");
  bool is_negative = accept(&n, "-");
  struct token t = *peek(&n);
  if (t.kind == TOK_NAME && t.len > 1 && t.at[0] == '$' &&
      l->t->arch != ARCH_MIPS) {
    t.at++;
    t.len--;
    t.kind = isdigit((unsigned char)t.at[0]) ? TOK_NUMBER : TOK_NAME;
  }
  if (t.kind != TOK_NUMBER || !scan_number(&t, ret))
    return false;
  if (is_negative)
    *ret = 0 - *ret;
  c->at = n.at + 1;
  return true;
}

static bool is_extension(const struct token *t) {
  return scan_is_nocase(t, "sxtw") || scan_is_nocase(t, "uxtw") ||
         scan_is_nocase(t, "sxtx") || scan_is_nocase(t, "lsl");
}

// ['#'] ':' part ':' location, of AArch64: part of an address, or of where a
// table of addresses has it. A location is at the beginning of a page.
static bool accept_part(struct build *l, struct cursor *c, const char *part,
                        uint32_t *name) {
  struct cursor n = *c;
  if (l->t->arch != ARCH_AARCH64)
    return false;
  accept(&n, "#");
  if (n.end - n.at < 4 || !scan_is(n.at, ":") || !scan_is(n.at + 1, part) ||
      !scan_is(n.at + 2, ":") || n.at[3].kind != TOK_NAME)
    return false;
  *name = litmus_string(l->t, n.at + 3);
  litmus_location(l->t, *name);
  c->at = n.at + 4;
  return true;
}

// What follows the base in brackets: ',' (number | register [',' extension])
static bool read_index(struct build *l, struct cursor *c, struct operand *o) {
  uint32_t name;
  if (accept_part(l, c, "lo12", &name) ||
      accept_part(l, c, "got_lo12", &o->symbol))
    return true;
  if (read_number(l, c, &o->number))
    return true;
  if (!read_register(l, peek(c), &o->index, &o->index_width))
    return wrong_operand(l, peek(c));
  c->at++;
  if (!accept(c, ","))
    return true;
  if (!is_extension(peek(c)))
    return wrong_operand(l, peek(c));
  o->is_signed = scan_is_nocase(c->at++, "sxtw");
  uint64_t shift = 0;
  if (read_number(l, c, &shift) && shift > 4)
    return build_refuse(l, "a shift of an index by at most 4 expected");
  o->shift = (unsigned)shift;
  return true;
}

// The base of an address: a register, or the name of a location.
static bool read_base(struct build *l, struct cursor *c, struct operand *o) {
  const struct token *t = peek(c);
  unsigned width;
  if (t->kind != TOK_NAME)
    return wrong_operand(l, t);
  c->at++;
  if (read_register(l, t, &o->base, &width))
    return true;
  if (l->t->arch != ARCH_X86 && l->t->arch != ARCH_X86_64)
    return build_refuse(l, "'%.*s' is not a register of %s", (int)t->len, t->at,
                        arch_name(l->t->arch));
  o->base = 0;
  o->symbol = litmus_string(l->t, t);
  return true;
}

// [base] [base,index] [symbol]
static bool read_brackets(struct build *l, struct cursor *c,
                          struct operand *o) {
  o->kind = OPERAND_MEMORY;
  if (!read_base(l, c, o))
    return false;
  if (accept(c, "+") && !read_number(l, c, &o->number))
    return wrong_operand(l, peek(c));
  if (accept(c, ",") && !read_index(l, c, o))
    return false;
  if (!close(l, c, "]"))
    return false;
  o->moves_base = accept(c, "!");
  return true;
}

// index [',' scale] of x86
static bool read_scaled(struct build *l, struct cursor *c, struct operand *o) {
  uint64_t scale = 1;
  if (!read_register(l, peek(c), &o->index, &o->index_width))
    return wrong_operand(l, peek(c));
  c->at++;
  if (accept(c, ",") && !read_number(l, c, &scale))
    return wrong_operand(l, peek(c));
  // Compilers pad with nopl 0(%rax,%eax,0).
  while (o->shift < 4 && UINT64_C(1) << o->shift < scale)
    o->shift++;
  return scale == 0 || UINT64_C(1) << o->shift == scale ||
         build_refuse(l, "a scale of 1, 2, 4 or 8 expected");
}

// (base), or of x86 (base,index,scale), after a displacement
static bool read_parens(struct build *l, struct cursor *c, struct operand *o) {
  o->kind = OPERAND_MEMORY;
  bool is_x86 = l->t->arch == ARCH_X86 || l->t->arch == ARCH_X86_64;
  if (!read_base(l, c, o))
    return false;
  if (is_x86 && accept(c, ",") && !read_scaled(l, c, o))
    return false;
  return close(l, c, ")");
}

// cs: before an address. Segments are all of memory.
static void skip_segment(const struct build *l, struct cursor *c) {
  bool is_x86 = l->t->arch == ARCH_X86 || l->t->arch == ARCH_X86_64;
  if (is_x86 && c->end - c->at > 1 && scan_is(c->at + 1, ":"))
    c->at += 2;
}

static bool read_operand(struct build *l, struct cursor *c, struct operand *o) {
  *o = (struct operand){0};
  skip_segment(l, c);
  if (accept_part(l, c, "lo12", &o->name)) {
    o->kind = OPERAND_NUMBER;
    return true;
  }
  if (accept_part(l, c, "got", &o->name)) {
    o->kind = OPERAND_NAME;
    return true;
  }
  if (accept(c, "["))
    return read_brackets(l, c, o);
  if (accept(c, "("))
    return read_parens(l, c, o);
  if (read_number(l, c, &o->number)) {
    o->kind = OPERAND_NUMBER;
    return !accept(c, "(") || read_parens(l, c, o);
  }
  const struct token *t = peek(c);
  if (t->kind != TOK_NAME)
    return wrong_operand(l, t);
  c->at++;
  if (read_register(l, t, &o->name, &o->width)) {
    o->kind = OPERAND_REG;
    return true;
  }
  bool is_x86 = l->t->arch == ARCH_X86 || l->t->arch == ARCH_X86_64;
  if (is_x86 && t->at[0] == '%')
    return build_refuse(l, "'%.*s' is not a register of %s", (int)t->len, t->at,
                        arch_name(l->t->arch));
  o->kind = OPERAND_NAME;
  o->name = litmus_string(l->t, t);
  if (accept(c, "(")) { // x(%rip)
    struct operand base = {0};
    if (!read_parens(l, c, &base))
      return false;
    o->kind = OPERAND_MEMORY;
    o->symbol = o->name;
  } else {
    read_number(l, c, &o->number); // lsl #1
  }
  return true;
}

static bool read_insn(struct build *l, struct cursor *c, struct asm_insn *in) {
  const struct token *name = c->at;
  *in = (struct asm_insn){0};
  if (name->kind != TOK_NAME)
    return build_refuse(l, "an instruction expected, not '%.*s'",
                        (int)name->len, name->at);
  c->at++;
  scan_copy(name, in->name, sizeof in->name);
  for (char *k = in->name; *k; k++)
    *k = (char)tolower((unsigned char)*k);
  // `lock addl ...`: one instruction of x86.
  if (strcmp(in->name, "lock") == 0 && peek(c)->kind == TOK_NAME) {
    struct token second = *c->at++;
    scan_copy(&second, in->name, sizeof in->name);
    memmove(in->name + 5, in->name, sizeof in->name - 6);
    memcpy(in->name, "lock ", 5);
    in->name[sizeof in->name - 1] = 0;
    for (char *k = in->name; *k; k++)
      *k = (char)tolower((unsigned char)*k);
  }
  if (l->t->arch == ARCH_PPC && in->name[0] == 'b' && !accept(c, "+"))
    accept(c, "-");     // bne-: a hint
  bool in_list = false; // {r1, r2} of ARM: operands like others
  while (c->at < c->end) {
    if (in->count == MAX_OPERANDS)
      return build_refuse(l, "too many operands");
    in_list |= l->t->arch == ARCH_ARM && accept(c, "{");
    if (!read_operand(l, c, &in->at[in->count++]))
      return false;
    const struct operand *o = &in->at[in->count - 1];
    if (o->base && o->symbol && strcmp(in->name, "ldr") != 0)
      return build_refuse(l, "only 'ldr' reads the table of addresses");
    if (in_list && accept(c, "}"))
      in_list = false;
    if (c->at < c->end && !accept(c, ","))
      return build_refuse(l, "',' expected after an operand, not '%.*s'",
                          (int)c->at->len, c->at->at);
  }
  return !in_list || build_refuse(l, "'}' expected behind registers");
}

// -- what architectures ask

bool asm_matches(const struct asm_insn *in, const char *kinds) {
  if (strlen(kinds) != in->count)
    return false;
  for (unsigned i = 0; i < in->count; i++) {
    enum operand_kind k = in->at[i].kind;
    bool ok = kinds[i] == 'r'   ? k == OPERAND_REG
              : kinds[i] == 'n' ? k == OPERAND_NUMBER
              : kinds[i] == 'm' ? k == OPERAND_MEMORY && !in->at[i].moves_base
              : kinds[i] == '!' ? k == OPERAND_MEMORY && in->at[i].moves_base
              : kinds[i] == 'l' ? k == OPERAND_NAME
                                : k == OPERAND_REG || k == OPERAND_NUMBER;
    if (!ok)
      return false;
  }
  return true;
}

bool asm_expect(struct build *l, const struct asm_insn *in, const char *kinds) {
  if (asm_matches(in, kinds))
    return true;
  struct str text = {0};
  for (const char *k = kinds; *k; k++)
    str_add(&text, "%s%s", k == kinds ? "" : ", ",
            *k == 'r'   ? "a register"
            : *k == 'n' ? "a number"
            : *k == 'm' ? "an address"
            : *k == 'l' ? "a name"
                        : "a register or number");
  build_refuse(l, "'%s' takes other operands: %s", in->name,
               *kinds ? str_text(&text) : "none");
  str_done(&text);
  return false;
}

bool asm_unknown(struct build *l, const struct asm_insn *in) {
  return build_refuse(l, "unsupported instruction '%s' of %s", in->name,
                      arch_name(l->t->arch));
}

const char *asm_name(const struct build *l, const struct asm_insn *in,
                     unsigned nth) {
  return nth < in->count && in->at[nth].kind == OPERAND_NAME
             ? strings_get(&l->t->strings, in->at[nth].name)
             : "";
}

static bool is_zero_register(const struct build *l, uint32_t name) {
  const char *text = strings_get(&l->t->strings, name);
  return (l->t->arch == ARCH_AARCH64 && strcmp(text, "XZR") == 0) ||
         (l->t->arch == ARCH_RISCV && strcmp(text, "x0") == 0) ||
         (l->t->arch == ARCH_MIPS && strcmp(text, "$0") == 0);
}

static unsigned register_value(struct build *l, uint32_t name) {
  return is_zero_register(l, name) ? build_const(l, 0)
                                   : build_register(l, name);
}

unsigned asm_value(struct build *l, const struct operand *o) {
  if (o->kind == OPERAND_NUMBER)
    return build_const(l, arch_has_32_bits(l->t->arch)
                              ? (uint64_t)(int32_t)o->number
                              : o->number);
  return build_cut(l, register_value(l, o->name), o->width);
}

// Less than 32 bits (x86) leave the others as they are.
void asm_set(struct build *l, const struct operand *o, unsigned value) {
  if (is_zero_register(l, o->name))
    return;
  unsigned to = build_register(l, o->name);
  value = build_cut(l, value, o->width);
  if (o->width < 32) {
    unsigned rest = build_const(l, ~((UINT64_C(1) << o->width) - 1));
    value = build_binary(l, OP_or, build_binary(l, OP_and, to, rest, 64), value,
                         64);
  } else if (arch_has_32_bits(l->t->arch)) {
    value = build_extend(l, value, 32);
  }
  build_move(l, to, value);
}

unsigned asm_address(struct build *l, const struct operand *o) {
  unsigned address;
  if (o->base) {
    address = register_value(l, o->base);
  } else {
    uint32_t location = litmus_location(l->t, o->symbol);
    address = build_const(l, build_address(l, location));
  }
  if (o->number)
    address = build_binary(l, OP_add, address, build_const(l, o->number), 64);
  if (!o->index)
    return address;
  unsigned index = register_value(l, o->index);
  index = o->is_signed ? build_extend(l, index, o->index_width)
                       : build_cut(l, index, o->index_width);
  if (o->shift)
    index = build_binary(l, OP_shl, index, build_const(l, o->shift), 64);
  return build_binary(l, OP_add, address, index, 64);
}

uint32_t asm_label(struct build *l, const struct operand *o) {
  return build_label(l, o->name);
}

void asm_branch(struct build *l, unsigned slot, const struct operand *label) {
  uint32_t next = build_label(l, 0);
  build_branch(l, slot, asm_label(l, label), next);
  build_place(l, next);
}

// -- flags

enum flag { NEGATIVE, ZERO, CARRY, OVERFLOW, FLAGS };

static unsigned flag_slot(struct build *l, enum flag f) {
  static const char *const names[] = {"negative", "zero", "carry", "overflow"};
  ONE_FOR_EACH(names, FLAGS);
  return build_register(l, strings_add(&l->t->strings, names[f]));
}

// Registers of ARM and X86 hold 32 bits, though a cell has 64.
static unsigned machine_width(const struct build *l, unsigned width) {
  return arch_has_32_bits(l->t->arch) && width > 32 ? 32 : width;
}

static void set_flag(struct build *l, enum flag f, unsigned value) {
  build_move(l, flag_slot(l, f), value);
}

static unsigned is_negative(struct build *l, unsigned value) {
  return build_binary(l, OP_slt, value, build_const(l, 0), 64);
}

// The result is extended to 64 bits.
static void set_sign_and_zero(struct build *l, unsigned result) {
  set_flag(l, NEGATIVE, is_negative(l, result));
  set_flag(l, ZERO, build_binary(l, OP_eq, result, build_const(l, 0), 64));
}

// (Numbers that are extended by their signs keep their order without, too.)
void asm_compare(struct build *l, unsigned a, unsigned b, unsigned width) {
  width = machine_width(l, width);
  unsigned x = build_extend(l, a, width), y = build_extend(l, b, width);
  unsigned result =
      build_extend(l, build_binary(l, OP_sub, x, y, width), width);
  set_sign_and_zero(l, result);
  set_flag(l, CARRY, build_binary(l, OP_ule, y, x, 64));
  set_flag(l, OVERFLOW,
           build_binary(l, OP_ne, build_binary(l, OP_slt, x, y, 64),
                        is_negative(l, result), 64));
}

// It overflows if the sign is that of neither.
void asm_flag_sum(struct build *l, unsigned a, unsigned b, unsigned width) {
  width = machine_width(l, width);
  unsigned x = build_extend(l, a, width), y = build_extend(l, b, width);
  unsigned result =
      build_extend(l, build_binary(l, OP_add, x, y, width), width);
  unsigned other =
      build_binary(l, OP_and, build_binary(l, OP_xor, x, result, 64),
                   build_binary(l, OP_xor, y, result, 64), 64);
  set_sign_and_zero(l, result);
  set_flag(l, CARRY, build_binary(l, OP_ult, result, x, 64));
  set_flag(l, OVERFLOW, is_negative(l, other));
}

void asm_flag_result(struct build *l, unsigned result, unsigned width,
                     bool keeps) {
  set_sign_and_zero(l, build_extend(l, result, machine_width(l, width)));
  // Cleared, but by the same instruction: whoever asks for them depends on it.
  unsigned clear = build_binary(l, OP_and, result, build_const(l, 0), 64);
  for (enum flag f = CARRY; f < FLAGS && !keeps; f++)
    set_flag(l, f, clear);
}

unsigned asm_carry(struct build *l) {
  return flag_slot(l, CARRY);
}

void asm_set_carry(struct build *l, unsigned carry) {
  set_flag(l, CARRY, carry);
}

void asm_set_overflow(struct build *l, unsigned overflow) {
  set_flag(l, OVERFLOW, overflow);
}

void asm_flags_if(struct build *l, unsigned condition, unsigned other) {
  for (enum flag f = NEGATIVE; f < FLAGS; f++)
    set_flag(l, f,
             build_pick(l, condition, flag_slot(l, f),
                        build_const(l, other >> (OVERFLOW - f) & 1)));
}

void asm_pick_flags(struct build *l, unsigned by) {
  for (enum flag f = NEGATIVE; f < FLAGS; f++)
    set_flag(l, f, build_pick(l, by, flag_slot(l, f), flag_slot(l, f)));
}

unsigned asm_test(struct build *l, struct isa_condition c) {
  unsigned n = flag_slot(l, NEGATIVE), z = flag_slot(l, ZERO);
  unsigned less = build_binary(l, OP_ne, n, flag_slot(l, OVERFLOW), 64);
  unsigned below =
      build_binary(l, OP_xor, flag_slot(l, CARRY), build_const(l, 1), 64);
  const unsigned holds[] = {
      [ISA_EQUAL] = z,
      [ISA_LESS] = less,
      [ISA_LESS_EQUAL] = build_binary(l, OP_or, less, z, 64),
      [ISA_BELOW] = below,
      [ISA_BELOW_EQUAL] = build_binary(l, OP_or, below, z, 64),
      [ISA_NEGATIVE] = n,
      [ISA_OVERFLOW] = flag_slot(l, OVERFLOW),
  };
  ONE_FOR_EACH(holds, ISA_OVERFLOW + 1);
  return c.is_negated
             ? build_binary(l, OP_xor, holds[c.test], build_const(l, 1), 64)
             : holds[c.test];
}

bool asm_condition(struct build *l, const char *name, unsigned *ret) {
  struct isa_condition c;
  if (l->t->arch != ARCH_PPC && strcasecmp(name, "al") == 0) {
    *ret = build_const(l, 1); // always
    return true;
  }
  if (!isa_arm_condition(name, &c))
    return false;
  *ret = asm_test(l, c);
  return true;
}

// -- threads

static bool lower_insn(struct build *l, const struct asm_insn *in) {
  switch (l->t->arch) {
  case ARCH_AARCH64:
    return lower_aarch64(l, in);
  case ARCH_ARM:
    return lower_arm(l, in);
  case ARCH_MIPS:
    return lower_mips(l, in);
  case ARCH_PPC:
    return lower_ppc(l, in);
  case ARCH_RISCV:
    return lower_riscv(l, in);
  case ARCH_X86:
  case ARCH_X86_64:
    return lower_x86(l, in);
  case ARCH_C:
  case ARCH_JAVA:
  case ARCH_LISA:
  case ARCH_BPF:
    break;
  }
  return false;
}

bool asm_is_label(const struct build *l, uint32_t name) {
  const char *text = strings_get(&l->t->strings, name);
  for (uint32_t i = 0; i < l->t->threads.len; i++) {
    const struct litmus_thread *t = &l->t->threads.at[i];
    for (uint32_t k = 0; k + 1 < t->code.len; k++)
      if (scan_is(&t->code.at[k], text) && scan_is(&t->code.at[k + 1], ":"))
        return true;
  }
  return false;
}

// { label ':' } [instruction]
static bool lower_cell(struct build *l, struct cursor c) {
  while (c.end - c.at >= 2 && c.at->kind == TOK_NAME &&
         scan_is(c.at + 1, ":")) {
    uint32_t label = build_label(l, litmus_string(l->t, c.at));
    if (l->labels.at[label].pc != UINT32_MAX)
      return build_refuse(l, "label '%.*s' is there twice", (int)c.at->len,
                          c.at->at);
    build_place(l, label);
    c.at += 2;
  }
  struct asm_insn in;
  if (c.at == c.end)
    return true;
  if (l->t->arch == ARCH_LISA)
    return lower_lisa(l, c.at, c.end);
  if (l->t->arch == ARCH_BPF)
    return lower_bpf(l, c.at, c.end);
  return read_insn(l, &c, &in) && lower_insn(l, &in);
}

static uint32_t end_of_thread(struct build *l) {
  return build_label(l, strings_add(&l->t->strings, " end"));
}

void asm_return(struct build *l) {
  build_jump(l, end_of_thread(l));
}

// Flags that nothing has set are clear, as registers are 0. (The carry of x86
// is kept turned round.)
static void clear_flags(struct build *l) {
  bool is_x86 = l->t->arch == ARCH_X86 || l->t->arch == ARCH_X86_64;
  for (enum flag f = NEGATIVE; f < FLAGS; f++)
    set_flag(l, f, build_const(l, is_x86 && f == CARRY));
}

bool build_asm_thread(struct build *l) {
  const struct litmus_thread *thread = &l->t->threads.at[l->thread];
  clear_flags(l);
  for (uint32_t i = 0, first = 0; i < thread->code.len; i++) {
    if (thread->code.at[i].kind != TOK_END)
      continue;
    l->line = thread->code.at[first].line;
    if (!lower_cell(
            l, (struct cursor){thread->code.at + first, thread->code.at + i}))
      return false;
    first = i + 1;
  }
  build_place(l, end_of_thread(l));
  return true;
}
