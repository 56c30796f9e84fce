// SPDX-License-Identifier: MIT
// RISC-V. The bits aq and rl of an instruction are on all of its events: both
// make the order sc, aq alone acquire, rl alone release.
#include "litmus/asm.h"

#include <stdlib.h>
#include <string.h>

// A name taken apart: lr.w.aq.rl is "lr", "w", aq and rl.
struct parts {
  char base[MNEMONIC];
  char size; // b h w d, or 0
  bool aq, rl;
};

static bool take_apart(const char *name, struct parts *ret) {
  *ret = (struct parts){0};
  const char *dot = strchr(name, '.');
  size_t n = dot ? (size_t)(dot - name) : strlen(name);
  memcpy(ret->base, name, n);
  while (dot) {
    const char *part = dot + 1;
    dot = strchr(part, '.');
    n = dot ? (size_t)(dot - part) : strlen(part);
    if (n == 1 && strchr("bhwd", *part))
      ret->size = *part;
    else if (n == 2 && memcmp(part, "aq", 2) == 0)
      ret->aq = true;
    else if (n == 2 && memcmp(part, "rl", 2) == 0)
      ret->rl = true;
    else if (n == 4 && memcmp(part, "aqrl", 4) == 0)
      ret->aq = ret->rl = true;
    else
      return false;
  }
  return true;
}

static unsigned bytes_of(char size) {
  return size == 'b' ? 1 : size == 'h' ? 2 : size == 'w' ? 4 : 8;
}

static struct access_how how_of(const struct parts *p, char size) {
  return (struct access_how){
      .size = bytes_of(size),
      .order = p->aq && p->rl ? ORD_SC
               : p->aq        ? ORD_ACQ
               : p->rl        ? ORD_REL
                              : ORD_RLX,
  };
}

// lb lh lw ld, with u: what is read is extended to 64 bits.
static bool try_load(struct build *l, const struct asm_insn *in,
                     const struct parts *p, bool *ret) {
  const char *base = p->base;
  bool is_unsigned = strlen(base) == 3 && base[2] == 'u';
  if (base[0] != 'l' || !base[1] || !strchr("bhwd", base[1]) ||
      (base[2] && !is_unsigned))
    return false;
  if (!(*ret = asm_expect(l, in, "rm")))
    return true;
  struct access_how how = how_of(p, base[1]);
  unsigned value = build_load(l, asm_address(l, &in->at[1]), how);
  if (!is_unsigned)
    value = build_extend(l, value, how.size * 8);
  asm_set(l, &in->at[0], value);
  return true;
}

static bool try_store(struct build *l, const struct asm_insn *in,
                      const struct parts *p, bool *ret) {
  const char *base = p->base;
  if (base[0] != 's' || !base[1] || !strchr("bhwd", base[1]) || base[2])
    return false;
  if ((*ret = asm_expect(l, in, "rm")))
    build_store(l, asm_address(l, &in->at[1]), asm_value(l, &in->at[0]),
                how_of(p, base[1]));
  return true;
}

static bool try_linked(struct build *l, const struct asm_insn *in,
                       const struct parts *p, bool *ret) {
  bool is_load = strcmp(p->base, "lr") == 0;
  if (!is_load && strcmp(p->base, "sc") != 0)
    return false;
  struct access_how how = how_of(p, p->size);
  if (!is_load) {
    *ret = asm_conditional_store(l, in, how);
    return true;
  }
  how.how = HOW_LINKED;
  if ((*ret = asm_expect(l, in, "rm"))) {
    unsigned value = build_load(l, asm_address(l, &in->at[1]), how);
    asm_set(l, &in->at[0], build_extend(l, value, how.size * 8));
  }
  return true;
}

static bool try_update(struct build *l, const struct asm_insn *in,
                       const struct parts *p, bool *ret) {
  static const struct {
    const char *name;
    enum op op;
  } rows[] = {
      {"amoswap", OP_mov}, {"amoadd", OP_add},  {"amoand", OP_and},
      {"amoor", OP_or},    {"amoxor", OP_xor},  {"amomax", OP_sle},
      {"amomin", OP_slt},  {"amomaxu", OP_ule}, {"amominu", OP_ult},
  };
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    if (strcmp(p->base, rows[i].name) != 0)
      continue;
    struct access_how how = how_of(p, p->size);
    if (!(*ret = asm_expect(l, in, "rrm")))
      return true;
    unsigned old = build_update(l, rows[i].op, asm_address(l, &in->at[2]),
                                asm_value(l, &in->at[1]), how, how);
    asm_set(l, &in->at[0], build_extend(l, old, how.size * 8));
    return true;
  }
  return false;
}

// fence [pred, succ]; fence.tso; fence.i
static bool try_fence(struct build *l, const struct asm_insn *in, bool *ret) {
  static const enum fence_kind kinds[3][3] = {
      {FENCE_R_R, FENCE_R_W, FENCE_R_RW},
      {FENCE_W_R, FENCE_W_W, FENCE_W_RW},
      {FENCE_RW_R, FENCE_RW_W, FENCE_RW_RW},
  };
  static const char *const sets[] = {"r", "w", "rw"};
  *ret = true;
  bool is_tso = strcmp(in->name, "fence.tso") == 0;
  if (is_tso || strcmp(in->name, "fence.i") == 0) {
    build_fence(l, is_tso ? FENCE_TSO : FENCE_FENCE_I,
                is_tso ? ORD_ACQREL : ORD_NA);
    *ret = asm_expect(l, in, "");
    return true;
  }
  if (strcmp(in->name, "fence") != 0)
    return false;
  unsigned side[2] = {2, 2};
  for (unsigned k = 0; in->count && k < 2; k++) {
    const char *name = asm_name(l, in, k);
    // Devices (i, o) are not modelled.
    while (*name == 'i' || *name == 'o')
      name++;
    for (side[k] = 0; side[k] < 3 && strcmp(name, sets[side[k]]) != 0;)
      side[k]++;
    if (side[k] == 3 || in->count != 2)
      return *ret = build_refuse(l, "'fence' takes two of r, w and rw"), true;
  }
  enum fence_kind kind = kinds[side[0]][side[1]];
  // What C11's fences are made of; the other kinds C11 has not.
  build_fence(l, kind,
              kind == FENCE_RW_RW  ? ORD_SC
              : kind == FENCE_R_RW ? ORD_ACQ
              : kind == FENCE_RW_W ? ORD_REL
                                   : ORD_NA);
  return true;
}

static bool try_branch(struct build *l, const struct asm_insn *in, bool *ret) {
  static const struct {
    const char *name;
    enum op op;
    bool is_swapped;
  } rows[] = {
      {"beq", OP_eq, false},   {"bne", OP_ne, false},  {"blt", OP_slt, false},
      {"bge", OP_sle, true},   {"bgt", OP_slt, true},  {"ble", OP_sle, false},
      {"bltu", OP_ult, false}, {"bgeu", OP_ule, true}, {"bgtu", OP_ult, true},
      {"bleu", OP_ule, false},
  };
  *ret = true;
  if (strcmp(in->name, "j") == 0) {
    *ret = asm_jump(l, in);
    return true;
  }
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    size_t n = strlen(rows[i].name);
    bool with_zero = strncmp(in->name, rows[i].name, n) == 0 &&
                     strcmp(in->name + n, "z") == 0;
    if (!with_zero && strcmp(in->name, rows[i].name) != 0)
      continue;
    if (!(*ret = asm_expect(l, in, with_zero ? "rl" : "rrl")))
      return true;
    unsigned a = asm_value(l, &in->at[0]);
    unsigned b = with_zero ? build_const(l, 0) : asm_value(l, &in->at[1]);
    bool swap = rows[i].is_swapped;
    asm_branch(l, build_binary(l, rows[i].op, swap ? b : a, swap ? a : b, 64),
               &in->at[with_zero ? 1 : 2]);
    return true;
  }
  return false;
}

static bool try_computation(struct build *l, const struct asm_insn *in,
                            bool *ret) {
  static const struct {
    const char *name;
    enum op op;
  } rows[] = {
      {"add", OP_add}, {"sub", OP_sub}, {"and", OP_and},  {"or", OP_or},
      {"xor", OP_xor}, {"sll", OP_shl}, {"srl", OP_lshr}, {"sra", OP_ashr},
      {"mul", OP_mul}, {"slt", OP_slt}, {"sltu", OP_ult}, {"sltiu", OP_ult},
  };
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    size_t n = strlen(rows[i].name);
    if (strncmp(in->name, rows[i].name, n) != 0)
      continue;
    const char *rest = in->name + n;
    bool is_word = strchr(rest, 'w');
    if (strcmp(rest, "") != 0 && strcmp(rest, "i") != 0 &&
        strcmp(rest, "w") != 0 && strcmp(rest, "iw") != 0)
      continue;
    if (!(*ret = asm_expect(l, in, "rrv")))
      return true;
    unsigned width = is_word ? 32 : 64;
    unsigned a = build_cut(l, asm_value(l, &in->at[1]), width);
    unsigned b = build_cut(l, asm_value(l, &in->at[2]), width);
    enum op op = rows[i].op;
    if (op == OP_shl || op == OP_lshr || op == OP_ashr)
      b = build_binary(l, OP_and, b, build_const(l, width - 1), 64);
    asm_set(l, &in->at[0],
            build_extend(l, build_binary(l, op, a, b, width), width));
    return true;
  }
  return false;
}

// not, neg, seqz, sext.w, ... rd, rs
static bool try_unary(struct build *l, const struct asm_insn *in, bool *ret) {
  static const struct {
    const char *name;
    enum { INVERTS, NEGATES, EXTENDS, CUTS, COMPARES } kind;
    unsigned width;
    enum op op; // of the register, or of zero, and the other
    bool is_swapped;
  } rows[] = {
      {"not", INVERTS, 64, OP_mov, false},
      {"neg", NEGATES, 64, OP_mov, false},
      {"negw", NEGATES, 32, OP_mov, false},
      {"sext.b", EXTENDS, 8, OP_mov, false},
      {"sext.h", EXTENDS, 16, OP_mov, false},
      {"sext.w", EXTENDS, 32, OP_mov, false},
      {"zext.b", CUTS, 8, OP_mov, false},
      {"zext.h", CUTS, 16, OP_mov, false},
      {"zext.w", CUTS, 32, OP_mov, false},
      {"seqz", COMPARES, 64, OP_eq, false},
      {"snez", COMPARES, 64, OP_ne, false},
      {"sltz", COMPARES, 64, OP_slt, false},
      {"sgtz", COMPARES, 64, OP_slt, true},
  };
  unsigned i = 0, n = LENGTH(rows), width;
  while (i < n && strcmp(in->name, rows[i].name) != 0)
    i++;
  if (i == n)
    return false;
  if (!(*ret = asm_expect(l, in, "rr")))
    return true;
  unsigned value = asm_value(l, &in->at[1]), zero = build_const(l, 0);
  width = rows[i].width;
  switch (rows[i].kind) {
  case INVERTS:
    value = asm_invert(l, value);
    break;
  case NEGATES:
    value = build_extend(l, asm_negate(l, value), width);
    break;
  case EXTENDS:
    value = build_extend(l, value, width);
    break;
  case CUTS:
    value = build_cut(l, value, width);
    break;
  case COMPARES:
    value = build_binary(l, rows[i].op, rows[i].is_swapped ? zero : value,
                         rows[i].is_swapped ? value : zero, 64);
  }
  asm_set(l, &in->at[0], value);
  return true;
}

// andn, orn, xnor, min, maxu, ... rd, rs, rt
static bool try_bits(struct build *l, const struct asm_insn *in, bool *ret) {
  static const struct asm_computation inverted[] = {
      {.name = "andn", .op = OP_and, .inverts_last = true},
      {.name = "orn", .op = OP_or, .inverts_last = true},
      {.name = "xnor", .op = OP_xor, .inverts_result = true},
  };
  static const struct {
    const char *name;
    enum op op;
    bool is_max;
  } choices[] = {{"min", OP_slt, false},
                 {"max", OP_slt, true},
                 {"minu", OP_ult, false},
                 {"maxu", OP_ult, true}};
  for (unsigned i = 0; i < LENGTH(choices); i++) {
    if (strcmp(in->name, choices[i].name) != 0)
      continue;
    if (!(*ret = asm_expect(l, in, "rrr")))
      return true;
    unsigned a = asm_value(l, &in->at[1]), b = asm_value(l, &in->at[2]);
    bool swap = choices[i].is_max;
    asm_set(l, &in->at[0], asm_choice(l, choices[i].op, a, b, swap, 64));
    return true;
  }
  return asm_try_computation(l, in, inverted, LENGTH(inverted), "", ret);
}

bool lower_riscv(struct build *l, const struct asm_insn *in) {
  struct parts p;
  bool ok;
  if (strcmp(in->name, "nop") == 0 || strcmp(in->name, "pause") == 0)
    return asm_expect(l, in, "");
  if (strcmp(in->name, "ret") == 0 && !in->count)
    return asm_return(l), true;
  if (try_fence(l, in, &ok))
    return ok;
  if (strcmp(in->name, "li") == 0 || strcmp(in->name, "mv") == 0)
    return asm_move(l, in);
  if (try_unary(l, in, &ok) || try_bits(l, in, &ok))
    return ok;
  if (strcmp(in->name, "lui") == 0) {
    if (!asm_expect(l, in, "rn"))
      return false;
    asm_set(l, &in->at[0],
            build_extend(l, build_const(l, in->at[1].number << 12), 32));
    return true;
  }
  if (strcmp(in->name, "la") == 0) {
    if (!asm_expect(l, in, "rl"))
      return false;
    uint32_t x = litmus_location(l->t, in->at[1].name);
    asm_set(l, &in->at[0], build_const(l, build_address(l, x)));
    return true;
  }
  if (!take_apart(in->name, &p))
    return asm_unknown(l, in);
  if (try_linked(l, in, &p, &ok) || try_update(l, in, &p, &ok) ||
      try_load(l, in, &p, &ok) || try_store(l, in, &p, &ok) ||
      try_branch(l, in, &ok) || try_computation(l, in, &ok))
    return ok;
  return asm_unknown(l, in);
}
