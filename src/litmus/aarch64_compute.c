// SPDX-License-Identifier: MIT
// AArch64: what is computed in registers, and flags.
#include "litmus/aarch64.h"

#include <string.h>
#include <strings.h>

static const struct {
  const char *name;
  enum op op;
} computations[] = {
    {"add", OP_add},   {"sub", OP_sub},  {"and", OP_and},   {"orr", OP_or},
    {"eor", OP_xor},   {"lsl", OP_shl},  {"lsr", OP_lshr},  {"asr", OP_ashr},
    {"mul", OP_mul},   {"bic", OP_and},  {"orn", OP_or},    {"eon", OP_xor},
    {"ror", OP_lshr},  {"lslv", OP_shl}, {"lsrv", OP_lshr}, {"asrv", OP_ashr},
    {"rorv", OP_lshr},
};

static bool is_name(const struct asm_insn *in, const char *name) {
  return strcmp(in->name, name) == 0;
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

// A value of so many bits, rotated to the right.
static unsigned rotate(struct build *l, unsigned value, unsigned by,
                       unsigned width) {
  unsigned mask = build_const(l, width - 1);
  unsigned left = build_binary(l, OP_sub, build_const(l, width), by, 64);
  left = build_binary(l, OP_and, left, mask, 64);
  return build_binary(l, OP_or, build_binary(l, OP_lshr, value, by, width),
                      build_binary(l, OP_shl, value, left, width), 64);
}

// [us]xt[bhwx]: the bits of it that count, 0 if it is no extension.
static unsigned extension_width(const char *name) {
  static const char letters[] = "bhwx";
  if (strlen(name) != 4 || !strchr("us", name[0] | 0x20) ||
      strncasecmp(name + 1, "xt", 2) != 0)
    return 0;
  const char *letter = strchr(letters, name[3] | 0x20);
  return letter ? 8u << (letter - letters) : 0;
}

// The last operand of a computation, with the shift or extension after it.
static bool second_value(struct build *l, const struct asm_insn *in,
                         unsigned nth, unsigned *ret) {
  static const struct {
    const char *name;
    enum op op;
  } shifts[] = {{"", OP_shl},
                {"lsl", OP_shl},
                {"lsr", OP_lshr},
                {"asr", OP_ashr},
                {"ror", OP_lshr}};
  const char *name = asm_name(l, in, nth + 1);
  uint64_t by = nth + 1 < in->count ? in->at[nth + 1].number & 63 : 0;
  unsigned i = 0, count = LENGTH(shifts);
  unsigned bits = extension_width(name), width = in->at[nth].width;
  while (i < count && !bits && strcasecmp(name, shifts[i].name) != 0)
    i++;
  bool rotates = strcasecmp(name, "ror") == 0;
  if (i == count || (rotates && in->at[nth].kind != OPERAND_REG))
    return build_refuse(l, "unsupported shift or extension '%s'", name);
  *ret = asm_value(l, &in->at[nth]);
  if (bits)
    *ret = (name[0] | 0x20) == 's' ? build_extend(l, *ret, bits)
                                   : build_cut(l, *ret, bits);
  // What comes in from the left is the sign of what the register holds.
  if (shifts[i].op == OP_ashr && in->at[nth].kind == OPERAND_REG)
    *ret = build_extend(l, *ret, width);
  if (by && rotates)
    *ret = rotate(l, *ret, build_const(l, by & (width - 1)), width);
  else if (by)
    *ret = build_binary(l, shifts[i].op, *ret, build_const(l, by), 64);
  return true;
}

static bool is_shift(enum op op) {
  return op == OP_shl || op == OP_lshr || op == OP_ashr;
}

static bool is_inverted(const char *name) {
  return begins(name, "bic") || strcmp(name, "orn") == 0 ||
         strcmp(name, "eon") == 0;
}

static bool lower_computation(struct build *l, const struct asm_insn *in,
                              enum op op, bool sets_flags) {
  if (!asm_matches(in, "rrv") && !asm_matches(in, "rrvl"))
    return asm_expect(l, in, "rrv");
  unsigned width = in->at[0].width, b;
  unsigned a = asm_value(l, &in->at[1]);
  if (!second_value(l, in, 2, &b))
    return false;
  b = build_cut(l, b, width);
  if (is_shift(op)) // by a number modulo the width
    b = build_binary(l, OP_and, b, build_const(l, width - 1), 64);
  if (is_inverted(in->name))
    b = build_binary(l, OP_xor, b, build_const(l, UINT64_MAX >> (64 - width)),
                     64);
  unsigned result = begins(in->name, "ror") ? rotate(l, a, b, width)
                                            : build_binary(l, op, a, b, width);
  if (sets_flags && op == OP_sub)
    asm_compare(l, a, b, width);
  else if (sets_flags && op == OP_add)
    asm_flag_sum(l, a, b, width);
  else if (sets_flags)
    asm_flag_result(l, result, width, /*keeps=*/false);
  asm_set(l, &in->at[0], result);
  return true;
}

static bool try_computation(struct build *l, const struct asm_insn *in,
                            bool *ret) {
  for (unsigned i = 0; i < LENGTH(computations); i++) {
    size_t n = strlen(computations[i].name);
    if (!begins(in->name, computations[i].name))
      continue;
    const char *rest = in->name + n;
    if (*rest && strcmp(rest, "s") != 0)
      continue;
    *ret = lower_computation(l, in, computations[i].op, *rest);
    return true;
  }
  return false;
}

static bool condition_of(struct build *l, const char *given, unsigned *ret) {
  return asm_condition(l, given, ret) ||
         build_refuse(l, "unsupported condition '%s'", given);
}

// csel Rd, Rn, Rm, condition and its relatives, which change what is taken
// otherwise: by one more, all bits, both. Of cset and cinc it is what is taken
// if the condition holds, of the zero register or Rn.
enum change { CHANGE_NONE, CHANGE_ADDS = 1, CHANGE_INVERTS = 2 };

static unsigned changed(struct build *l, unsigned value, unsigned change) {
  if (change & CHANGE_INVERTS)
    value = build_binary(l, OP_xor, value, build_const(l, UINT64_MAX), 64);
  if (change & CHANGE_ADDS)
    value = build_binary(l, OP_add, value, build_const(l, 1), 64);
  return value;
}

static bool try_select(struct build *l, const struct asm_insn *in, bool *ret) {
  static const struct {
    const char *name, *kinds;
    unsigned change;
  } rows[] = {{"csel", "rrrl", CHANGE_NONE},
              {"csinc", "rrrl", CHANGE_ADDS},
              {"csinv", "rrrl", CHANGE_INVERTS},
              {"csneg", "rrrl", CHANGE_ADDS | CHANGE_INVERTS},
              {"cset", "rl", CHANGE_ADDS},
              {"csetm", "rl", CHANGE_INVERTS},
              {"cinc", "rrl", CHANGE_ADDS},
              {"cinv", "rrl", CHANGE_INVERTS},
              {"cneg", "rrl", CHANGE_ADDS | CHANGE_INVERTS}};
  unsigned i = 0, n = LENGTH(rows), slot;
  while (i < n && !is_name(in, rows[i].name))
    i++;
  if (i == n)
    return false;
  *ret = asm_expect(l, in, rows[i].kinds) &&
         condition_of(l, asm_name(l, in, in->count - 1), &slot);
  if (!*ret)
    return true;
  unsigned a = in->count > 2 ? asm_value(l, &in->at[1]) : build_const(l, 0);
  unsigned b = in->count == 4 ? asm_value(l, &in->at[2]) : a;
  if (in->count == 4)
    b = changed(l, b, rows[i].change);
  else
    a = changed(l, a, rows[i].change);
  asm_set(l, &in->at[0], build_pick(l, slot, a, b));
  return true;
}

static bool lower_mov(struct build *l, const struct asm_insn *in) {
  unsigned value;
  if (asm_matches(in, "rl") && asm_is_label(l, in->at[1].name))
    return build_refuse(l, "addresses of code are not supported");
  if (asm_matches(in, "rl")) { // the address of x
    uint32_t x = litmus_location(l->t, in->at[1].name);
    asm_set(l, &in->at[0], build_const(l, build_address(l, x)));
    return true;
  }
  if (!asm_matches(in, "rv") && !asm_matches(in, "rnl"))
    return asm_expect(l, in, "rv");
  if (!second_value(l, in, 1, &value))
    return false;
  asm_set(l, &in->at[0], value);
  return true;
}

// adr, adrp: a page begins with each location.
static bool lower_address(struct build *l, const struct asm_insn *in) {
  return asm_expect(l, in, "rl") && lower_mov(l, in);
}

static bool lower_compare(struct build *l, const struct asm_insn *in) {
  if (!asm_matches(in, "rv") && !asm_matches(in, "rvl"))
    return asm_expect(l, in, "rv");
  unsigned width = in->at[0].width, a = asm_value(l, &in->at[0]), b;
  if (!second_value(l, in, 1, &b))
    return false;
  if (strcmp(in->name, "tst") == 0)
    asm_flag_result(l, build_binary(l, OP_and, a, b, 64), width,
                    /*keeps=*/false);
  else if (strcmp(in->name, "cmn") == 0)
    asm_flag_sum(l, a, b, width);
  else
    asm_compare(l, a, b, width);
  return true;
}

// ccmp Rn, (Rm | #n), #flags, condition; ccmn: as cmp and cmn if the condition
// holds, else the flags are what is said.
static bool lower_conditional_compare(struct build *l,
                                      const struct asm_insn *in) {
  if (!asm_matches(in, "rvnl"))
    return asm_expect(l, in, "rvnl");
  unsigned width = in->at[0].width, slot, holds = build_slot(l);
  uint64_t by = in->at[1].number, flags = in->at[2].number;
  if (flags > 15 || (in->at[1].kind == OPERAND_NUMBER && by > 31))
    return build_refuse(l, "'%s' takes flags below 16 and a number below 32",
                        in->name);
  if (!condition_of(l, asm_name(l, in, 3), &slot))
    return false;
  build_move(l, holds, slot); // it may be a flag
  unsigned a = asm_value(l, &in->at[0]), b = asm_value(l, &in->at[1]);
  if (is_name(in, "ccmn"))
    asm_flag_sum(l, a, b, width);
  else
    asm_compare(l, a, b, width);
  asm_flags_if(l, holds, (unsigned)flags);
  return true;
}

static bool lower_extension(struct build *l, const struct asm_insn *in) {
  unsigned width = extension_width(in->name);
  if (!asm_expect(l, in, "rr"))
    return false;
  unsigned value = asm_value(l, &in->at[1]);
  asm_set(l, &in->at[0],
          in->name[0] == 's' ? build_extend(l, value, width)
                             : build_cut(l, value, width));
  return true;
}

// movk Rd, #n, lsl #by: sixteen bits; movn: the complement of what mov moves
static bool lower_move_part(struct build *l, const struct asm_insn *in) {
  if (!asm_matches(in, "rn") && !asm_matches(in, "rnl"))
    return asm_expect(l, in, "rn");
  uint64_t by = in->count == 3 ? in->at[2].number & 63 : 0;
  uint64_t part = (in->at[1].number & 0xffff) << by;
  if (is_name(in, "movn")) {
    asm_set(l, &in->at[0], build_const(l, ~part));
    return true;
  }
  unsigned rest = build_binary(l, OP_and, asm_value(l, &in->at[0]),
                               build_const(l, ~(UINT64_C(0xffff) << by)), 64);
  asm_set(l, &in->at[0],
          build_binary(l, OP_or, rest, build_const(l, part), 64));
  return true;
}

// mvn Rd, Rm; neg Rd, Rm; negs
static bool lower_negation(struct build *l, const struct asm_insn *in) {
  unsigned value, width = in->at[0].width;
  if (!asm_matches(in, "rr") && !asm_matches(in, "rrl"))
    return asm_expect(l, in, "rr");
  if (!second_value(l, in, 1, &value))
    return false;
  if (is_name(in, "negs"))
    asm_compare(l, build_const(l, 0), build_cut(l, value, width), width);
  asm_set(l, &in->at[0],
          changed(l, value,
                  is_name(in, "mvn") ? CHANGE_INVERTS
                                     : CHANGE_INVERTS | CHANGE_ADDS));
  return true;
}

// adc Rd, Rn, Rm; sbc; ngc Rd, Rm
static bool lower_with_carry(struct build *l, const struct asm_insn *in) {
  bool is_ngc = is_name(in, "ngc");
  if (!asm_expect(l, in, is_ngc ? "rr" : "rrr"))
    return false;
  unsigned a = is_ngc ? build_const(l, 0) : asm_value(l, &in->at[1]);
  unsigned b = asm_value(l, &in->at[is_ngc ? 1 : 2]);
  if (!is_name(in, "adc"))
    b = asm_invert(l, b);
  asm_set(l, &in->at[0],
          build_binary(l, OP_add, build_binary(l, OP_add, a, b, 64),
                       asm_carry(l), 64));
  return true;
}

// clz, ctz, cnt, abs Rd, Rn
static bool lower_count(struct build *l, const struct asm_insn *in) {
  if (!asm_expect(l, in, "rr"))
    return false;
  unsigned width = in->at[0].width, value = asm_value(l, &in->at[1]);
  if (is_name(in, "abs")) {
    value = build_extend(l, value, width);
    value =
        asm_choice(l, OP_slt, value, asm_negate(l, value), /*is_max=*/true, 64);
  } else {
    unsigned to = build_slot(l);
    build_emit(l,
               is_name(in, "clz")   ? OP_clz
               : is_name(in, "ctz") ? OP_ctz
                                    : OP_popcount,
               to, value, 0, width);
    value = to;
  }
  asm_set(l, &in->at[0], value);
  return true;
}

// smax, smin, umax, umin Rd, Rn, (Rm | #n)
static bool lower_choice(struct build *l, const struct asm_insn *in) {
  if (!asm_expect(l, in, "rrv"))
    return false;
  unsigned width = in->at[0].width;
  bool is_signed = in->name[0] == 's';
  unsigned a = asm_value(l, &in->at[1]);
  unsigned b = build_cut(l, asm_value(l, &in->at[2]), width);
  asm_set(l, &in->at[0],
          asm_choice(l, is_signed ? OP_slt : OP_ult, a, b, in->name[2] == 'a',
                     width));
  return true;
}

// extr Rd, Rn, Rm, #n: what is n bits further left in both together
static bool lower_extract(struct build *l, const struct asm_insn *in) {
  if (!asm_expect(l, in, "rrrn"))
    return false;
  unsigned width = in->at[0].width;
  uint64_t by = in->at[3].number;
  if (by >= width)
    return build_refuse(l, "'extr' takes a number below %u", width);
  unsigned low = asm_value(l, &in->at[2]);
  if (by)
    low = build_binary(l, OP_or,
                       build_binary(l, OP_lshr, low, build_const(l, by), 64),
                       build_binary(l, OP_shl, asm_value(l, &in->at[1]),
                                    build_const(l, width - by), 64),
                       64);
  asm_set(l, &in->at[0], low);
  return true;
}

// bfm Rd, Rn, #r, #s and its aliases: as ubfm, but the other bits of Rd stay
// (ubfiz and sbfiz: they are zero, or the sign).
static bool lower_insertion(struct build *l, const struct asm_insn *in) {
  if (!asm_expect(l, in, "rrnn"))
    return false;
  unsigned width = in->at[0].width;
  bool is_bfm = is_name(in, "bfm"), is_bfxil = is_name(in, "bfxil");
  uint64_t r = in->at[2].number, s = in->at[3].number;
  uint64_t from = is_bfxil || (is_bfm && s >= r) ? r : 0;
  uint64_t to = is_bfxil || (is_bfm && s >= r) ? 0 : is_bfm ? width - r : r;
  uint64_t n = !is_bfm ? s : s >= r ? s - r + 1 : s + 1;
  if (r >= width || s > width - !!is_bfm || !n || from + n > width ||
      to + n > width)
    return build_refuse(l, "'%s' takes bits of a register of %u", in->name,
                        width);
  unsigned bits = build_binary(l, OP_lshr, asm_value(l, &in->at[1]),
                               build_const(l, from), 64);
  bits = is_name(in, "sbfiz") ? build_extend(l, bits, (unsigned)n)
                              : build_cut(l, bits, (unsigned)n);
  bits = build_binary(l, OP_shl, bits, build_const(l, to), 64);
  if (begins(in->name, "bf")) {
    uint64_t rest = ~(UINT64_MAX >> (64 - n) << to);
    bits = build_binary(l, OP_or, bits,
                        build_binary(l, OP_and, asm_value(l, &in->at[0]),
                                     build_const(l, rest), 64),
                        64);
  }
  asm_set(l, &in->at[0], bits);
  return true;
}

// ubfm Rd, Rn, #r, #s: bits r to s of Rn go to the right end if r <= s, else
// bits 0 to s go r places to the right, around the end. sbfm has their sign.
// ubfx Rd, Rn, #r, #n: n bits from r on
static bool lower_bit_field(struct build *l, const struct asm_insn *in) {
  if (!asm_expect(l, in, "rrnn"))
    return false;
  unsigned width = in->at[0].width;
  uint64_t r = in->at[2].number, s = in->at[3].number;
  if (is_name(in, "ubfx") || is_name(in, "sbfx"))
    s += r - 1;
  if (r >= width || s >= width)
    return build_refuse(l, "'%s' takes numbers below %u", in->name, width);
  unsigned value = asm_value(l, &in->at[1]);
  bool goes_round = s < r;
  unsigned bits = (unsigned)(goes_round ? s + 1 : s - r + 1);
  if (!goes_round)
    value = build_binary(l, OP_lshr, value, build_const(l, r), 64);
  value = in->name[0] == 's' ? build_extend(l, value, bits)
                             : build_cut(l, value, bits);
  if (goes_round)
    value = build_binary(l, OP_shl, value, build_const(l, width - r), 64);
  asm_set(l, &in->at[0], value);
  return true;
}

// Every group of `size` bits changes places with its neighbour.
static unsigned swap_groups(struct build *l, unsigned value, unsigned size) {
  uint64_t low = 0;
  for (unsigned i = 0; i < 64; i += 2 * size)
    low |= ((UINT64_C(1) << size) - 1) << i;
  unsigned mask = build_const(l, low), by = build_const(l, size);
  unsigned right = build_binary(l, OP_lshr, value, by, 64);
  unsigned left = build_binary(l, OP_and, value, mask, 64);
  return build_binary(l, OP_or, build_binary(l, OP_and, right, mask, 64),
                      build_binary(l, OP_shl, left, by, 64), 64);
}

// rbit: all bits; rev: the bytes; rev16, rev32, rev64: in each so many bits
static bool lower_reversal(struct build *l, const struct asm_insn *in) {
  if (!asm_expect(l, in, "rr"))
    return false;
  unsigned width = in->at[0].width, first = is_name(in, "rbit") ? 1 : 8;
  unsigned within = is_name(in, "rev16")   ? 16
                    : is_name(in, "rev32") ? 32
                                           : width;
  unsigned value = asm_value(l, &in->at[1]);
  for (unsigned size = first; size < within; size *= 2)
    value = swap_groups(l, value, size);
  asm_set(l, &in->at[0], value);
  return true;
}

// madd Rd, Rn, Rm, Ra: Ra + Rn * Rm; msub: Ra - Rn * Rm; mneg: -(Rn * Rm);
// smaddl, umull and so on: of words, to a doubleword
static bool lower_multiply_add(struct build *l, const struct asm_insn *in) {
  size_t n = strlen(in->name);
  bool is_long = in->name[n - 1] == 'l', adds = strstr(in->name, "madd");
  bool is_only = !adds && !strstr(in->name, "msub");
  if (!asm_expect(l, in, is_only ? "rrr" : "rrrr"))
    return false;
  unsigned width = in->at[0].width;
  unsigned a = asm_value(l, &in->at[1]), b = asm_value(l, &in->at[2]);
  if (is_long) {
    bool is_signed = in->name[0] == 's';
    a = is_signed ? build_extend(l, a, 32) : build_cut(l, a, 32);
    b = is_signed ? build_extend(l, b, 32) : build_cut(l, b, 32);
  }
  unsigned product = build_binary(l, OP_mul, a, b, width);
  unsigned to = is_only ? build_const(l, 0) : asm_value(l, &in->at[3]);
  adds |= is_only && !strstr(in->name, "mneg") && !strstr(in->name, "mnegl");
  asm_set(l, &in->at[0],
          build_binary(l, adds ? OP_add : OP_sub, to, product, width));
  return true;
}

bool aarch64_try_compute(struct build *l, const struct asm_insn *in,
                         bool *ret) {
  static const struct {
    const char *name;
    bool (*lower)(struct build *l, const struct asm_insn *in);
  } rows[] = {
      {"mov", lower_mov},
      {"movz", lower_mov},
      {"adr", lower_address},
      {"adrp", lower_address},
      {"movk", lower_move_part},
      {"movn", lower_move_part},
      {"mvn", lower_negation},
      {"neg", lower_negation},
      {"cmp", lower_compare},
      {"cmn", lower_compare},
      {"tst", lower_compare},
      {"ccmp", lower_conditional_compare},
      {"ccmn", lower_conditional_compare},
      {"ubfm", lower_bit_field},
      {"sbfm", lower_bit_field},
      {"ubfx", lower_bit_field},
      {"sbfx", lower_bit_field},
      {"rbit", lower_reversal},
      {"rev", lower_reversal},
      {"rev16", lower_reversal},
      {"rev32", lower_reversal},
      {"rev64", lower_reversal},
      {"madd", lower_multiply_add},
      {"msub", lower_multiply_add},
      {"mneg", lower_multiply_add},
      {"smull", lower_multiply_add},
      {"umull", lower_multiply_add},
      {"smaddl", lower_multiply_add},
      {"umaddl", lower_multiply_add},
      {"smsubl", lower_multiply_add},
      {"umsubl", lower_multiply_add},
      {"smnegl", lower_multiply_add},
      {"umnegl", lower_multiply_add},
      {"negs", lower_negation},
      {"adc", lower_with_carry},
      {"sbc", lower_with_carry},
      {"ngc", lower_with_carry},
      {"clz", lower_count},
      {"ctz", lower_count},
      {"cnt", lower_count},
      {"abs", lower_count},
      {"smax", lower_choice},
      {"smin", lower_choice},
      {"umax", lower_choice},
      {"umin", lower_choice},
      {"extr", lower_extract},
      {"bfm", lower_insertion},
      {"bfi", lower_insertion},
      {"bfxil", lower_insertion},
      {"ubfiz", lower_insertion},
      {"sbfiz", lower_insertion},
  };
  for (unsigned i = 0; i < LENGTH(rows); i++)
    if (is_name(in, rows[i].name)) {
      *ret = rows[i].lower(l, in);
      return true;
    }
  if (extension_width(in->name)) {
    *ret = lower_extension(l, in);
    return true;
  }
  return try_select(l, in, ret) || try_computation(l, in, ret);
}
