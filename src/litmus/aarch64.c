// SPDX-License-Identifier: MIT
// AArch64. All accesses are atomic ones; LDAR is sc, LDAPR acquire, STLR
// release, which is how the model tells the sets A, Q and L.
#include "litmus/asm.h"

#include <string.h>

struct load_row {
  const char *name;
  enum order order;
  uint8_t how;
};

static const struct load_row loads[] = {
    {"ldr", ORD_RLX, 0},           {"ldur", ORD_RLX, 0},
    {"ldar", ORD_SC, 0},           {"ldlar", ORD_SC, 0},
    {"ldapr", ORD_ACQ, 0},         {"ldapur", ORD_ACQ, 0},
    {"ldxr", ORD_RLX, HOW_LINKED}, {"ldaxr", ORD_SC, HOW_LINKED},
};

static const struct load_row stores[] = {
    {"str", ORD_RLX, 0},
    {"stur", ORD_RLX, 0},
    {"stlr", ORD_REL, 0},
    {"stlur", ORD_REL, 0},
    {"stllr", ORD_REL, 0},
    {"stxr", ORD_RLX, HOW_LINKED},
    {"stlxr", ORD_REL, HOW_LINKED},
};

// What updates of one instruction compute.
static const struct {
  const char *name;
  enum op op;
} updates[] = {
    {"add", OP_add},  {"set", OP_or},   {"clr", OP_and},  {"eor", OP_xor},
    {"smax", OP_sle}, {"smin", OP_slt}, {"umax", OP_ule}, {"umin", OP_ult},
};

static const struct {
  const char *name;
  enum op op;
} computations[] = {
    {"add", OP_add}, {"sub", OP_sub}, {"and", OP_and},  {"orr", OP_or},
    {"eor", OP_xor}, {"lsl", OP_shl}, {"lsr", OP_lshr}, {"asr", OP_ashr},
    {"mul", OP_mul}, {"bic", OP_and}, {"orn", OP_or},   {"eon", OP_xor},
};

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

// What is left of the name after `base` as a size: "" b h, of loads sb sh sw.
static bool size_of(const char *suffix, unsigned width, unsigned *size,
                    bool *is_signed) {
  *is_signed = *suffix == 's';
  suffix += *is_signed;
  *size = *suffix == 'b'   ? 1
          : *suffix == 'h' ? 2
          : *suffix == 'w' ? 4
                           : width / 8;
  return *suffix ? strchr("bhw", *suffix) && !suffix[1] : !*is_signed;
}

static const struct load_row *row_of(const struct load_row *rows, unsigned n,
                                     const char *name, const char **suffix) {
  const struct load_row *best = NULL;
  for (unsigned i = 0; i < n; i++)
    if (begins(name, rows[i].name) &&
        (!best || strlen(rows[i].name) > strlen(best->name)))
      best = &rows[i];
  *suffix = best ? name + strlen(best->name) : NULL;
  return best;
}

static bool lower_load_insn(struct build *l, const struct asm_insn *in,
                            const struct load_row *row, const char *suffix) {
  bool is_signed;
  struct access_how how = {.order = row->order, .how = row->how};
  if (!asm_expect(l, in, "rm"))
    return false;
  if (!size_of(suffix, in->at[0].width, &how.size, &is_signed))
    return asm_unknown(l, in);
  unsigned value = build_load(l, asm_address(l, &in->at[1]), how);
  if (is_signed)
    value = build_extend(l, value, how.size * 8);
  asm_set(l, &in->at[0], value);
  return true;
}

static bool lower_store_insn(struct build *l, const struct asm_insn *in,
                             const struct load_row *row, const char *suffix) {
  bool is_signed, is_conditional = row->how & HOW_LINKED;
  struct access_how how = {.order = row->order};
  if (!asm_expect(l, in, is_conditional ? "rrm" : "rm"))
    return false;
  const struct operand *from = &in->at[is_conditional];
  if (!size_of(suffix, from->width, &how.size, &is_signed) || is_signed)
    return asm_unknown(l, in);
  if (is_conditional)
    return asm_conditional_store(l, in, how);
  build_store(l, asm_address(l, from + 1), asm_value(l, from), how);
  return true;
}

// [a] [l] [b | h]
static bool update_suffix(const char *s, unsigned width, unsigned *size,
                          bool *acquires, bool *releases) {
  *acquires = *s == 'a';
  s += *acquires;
  *releases = *s == 'l';
  s += *releases;
  bool is_signed;
  return size_of(s, width, size, &is_signed) && !is_signed;
}

// swp, ldadd ...: Rs, Rt, [Xn]; stadd ...: Rs, [Xn]; cas: Rs, Rt, [Xn]
static bool lower_update_insn(struct build *l, const struct asm_insn *in,
                              enum op op, bool is_cas, bool is_clear,
                              const char *suffix) {
  bool is_store = begins(in->name, "st"), acquires, releases;
  unsigned size;
  if (!asm_expect(l, in, is_store ? "rm" : "rrm"))
    return false;
  if (!update_suffix(suffix, in->at[0].width, &size, &acquires, &releases))
    return asm_unknown(l, in);
  // An update does not acquire if nobody gets what it read. A compare-exchange
  // puts that into its first register; the second is what it stores.
  const char *to = strings_get(&l->t->strings, in->at[is_cas ? 0 : 1].name);
  bool is_noret = is_store || strcmp(to, "XZR") == 0;
  struct access_how read = {
      .size = size,
      .order = acquires && !is_noret ? ORD_ACQ : ORD_RLX,
      .how = is_noret ? HOW_NORET : 0,
  };
  struct access_how write = {.size = size,
                             .order = releases ? ORD_REL : ORD_RLX};
  unsigned address = asm_address(l, &in->at[is_store ? 1 : 2]);
  unsigned value = asm_value(l, &in->at[0]), old, ok;
  if (is_cas) {
    read.how |= HOW_PICK;
    write.how = HOW_PICK;
    read.order_fail = read.order; // it acquires even if it fails
    old = build_cas(l, address, value, asm_value(l, &in->at[1]), read, write,
                    &ok);
    asm_set(l, &in->at[0], old);
    return true;
  }
  if (is_clear)
    value = build_binary(l, OP_xor, value, build_const(l, UINT64_MAX), 64);
  old = build_update(l, op, address, value, read, write);
  if (!is_store)
    asm_set(l, &in->at[1], old);
  return true;
}

// Is it one? *ret: was it lowered?
static bool try_update(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  if (begins(name, "swp") || begins(name, "cas")) {
    if (begins(name, "swpp") || begins(name, "casp"))
      return false;
    *ret =
        lower_update_insn(l, in, OP_mov, begins(name, "cas"), false, name + 3);
    return true;
  }
  if (!begins(name, "ld") && !begins(name, "st"))
    return false;
  for (unsigned i = 0; i < sizeof updates / sizeof *updates; i++)
    if (begins(name + 2, updates[i].name)) {
      *ret = lower_update_insn(l, in, updates[i].op, false,
                               strcmp(updates[i].name, "clr") == 0,
                               name + 2 + strlen(updates[i].name));
      return true;
    }
  return false;
}

static bool try_access(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *suffix;
  const struct load_row *row =
      row_of(loads, sizeof loads / sizeof *loads, in->name, &suffix);
  if (row) {
    *ret = lower_load_insn(l, in, row, suffix);
    return true;
  }
  row = row_of(stores, sizeof stores / sizeof *stores, in->name, &suffix);
  if (row)
    *ret = lower_store_insn(l, in, row, suffix);
  return row;
}

// -- barriers

static bool try_barrier(struct build *l, const struct asm_insn *in, bool *ret) {
  static const struct {
    const char *name;
    enum fence_kind dmb, dsb;
    enum order order;
  } rows[] = {
      {"sy", FENCE_DMB_SY, FENCE_DSB_SY, ORD_SC},
      {"ld", FENCE_DMB_LD, FENCE_DSB_LD, ORD_ACQ},
      {"st", FENCE_STORES, FENCE_DSB_ST, ORD_NA},
      {"ish", FENCE_DMB_ISH, FENCE_DSB_ISH, ORD_SC},
      {"ishld", FENCE_DMB_ISHLD, FENCE_DSB_ISHLD, ORD_ACQ},
      {"ishst", FENCE_DMB_ISHST, FENCE_DSB_ISHST, ORD_NA},
      {"osh", FENCE_DMB_OSH, FENCE_DSB_OSH, ORD_SC},
      {"oshld", FENCE_DMB_OSHLD, FENCE_DSB_OSHLD, ORD_ACQ},
      {"oshst", FENCE_DMB_OSHST, FENCE_DSB_OSHST, ORD_NA},
      {"nsh", FENCE_DMB_NSH, FENCE_DSB_NSH, ORD_SC},
      {"nshld", FENCE_DMB_NSHLD, FENCE_DSB_NSHLD, ORD_ACQ},
      {"nshst", FENCE_DMB_NSHST, FENCE_DSB_NSHST, ORD_NA},
  };
  bool is_dmb = strcmp(in->name, "dmb") == 0;
  if (strcmp(in->name, "isb") == 0) {
    build_fence(l, FENCE_ISB, ORD_NA);
    *ret = true;
    return true;
  }
  if (!is_dmb && strcmp(in->name, "dsb") != 0)
    return false;
  const char *domain = in->count ? asm_name(l, in, 0) : "sy";
  *ret = false;
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcasecmp(rows[i].name, domain) == 0) {
      build_fence(l, is_dmb ? rows[i].dmb : rows[i].dsb, rows[i].order);
      *ret = true;
      return true;
    }
  build_refuse(l, "unsupported barrier '%s %s'", in->name, domain);
  return true;
}

// -- branches

static bool try_branch(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  unsigned slot;
  bool is_zero = strcmp(name, "cbz") == 0;
  *ret = true;
  if (strcmp(name, "b") == 0) {
    *ret = asm_jump(l, in);
    return true;
  }
  if (is_zero || strcmp(name, "cbnz") == 0) {
    *ret = asm_branch_on_zero(l, in, is_zero);
    return true;
  }
  if (strcmp(name, "tbz") == 0 || strcmp(name, "tbnz") == 0) {
    if (!(*ret = asm_expect(l, in, "rnl")))
      return true;
    unsigned bit = build_const(l, UINT64_C(1) << (in->at[1].number & 63));
    slot = build_binary(l, OP_and, asm_value(l, &in->at[0]), bit, 64);
    asm_branch(l,
               build_binary(l, name[2] == 'z' ? OP_eq : OP_ne, slot,
                            build_const(l, 0), 64),
               &in->at[2]);
    return true;
  }
  const char *condition = begins(name, "b.") ? name + 2 : name + 1;
  if (name[0] != 'b' || !asm_condition(l, condition, &slot))
    return false;
  if ((*ret = asm_expect(l, in, "l")))
    asm_branch(l, slot, &in->at[0]);
  return true;
}

// -- computations

// The last operand of a computation, with the shift or extension after it.
static bool second_value(struct build *l, const struct asm_insn *in,
                         unsigned nth, unsigned *ret) {
  static const struct {
    const char *name;
    enum op op;
  } shifts[] = {{"", OP_shl},     {"lsl", OP_shl},  {"lsr", OP_lshr},
                {"asr", OP_ashr}, {"sxtw", OP_shl}, {"uxtw", OP_shl},
                {"sxtx", OP_shl}, {"uxtx", OP_shl}};
  const char *name = asm_name(l, in, nth + 1);
  uint64_t by = nth + 1 < in->count ? in->at[nth + 1].number & 63 : 0;
  unsigned i = 0, count = sizeof shifts / sizeof *shifts;
  while (i < count && strcasecmp(name, shifts[i].name) != 0)
    i++;
  if (i == count)
    return build_refuse(l, "unsupported shift or extension '%s'", name);
  *ret = asm_value(l, &in->at[nth]);
  if (strcasecmp(name, "sxtw") == 0)
    *ret = build_extend(l, *ret, 32);
  // What comes in from the left is the sign of what the register holds.
  if (shifts[i].op == OP_ashr && in->at[nth].kind == OPERAND_REG)
    *ret = build_extend(l, *ret, in->at[nth].width);
  if (by)
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
  unsigned result = build_binary(l, op, a, b, width);
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
  for (unsigned i = 0; i < sizeof computations / sizeof *computations; i++) {
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

// csel and its relatives: Rd, Rn, Rm, condition; cset: Rd, condition
static bool try_select(struct build *l, const struct asm_insn *in, bool *ret) {
  static const char *const names[] = {"csel", "csinc", "csinv", "csneg",
                                      "cset"};
  unsigned which = 0, slot;
  while (which < 5 && strcmp(in->name, names[which]) != 0)
    which++;
  if (which == 5)
    return false;
  bool is_cset = which == 4;
  char condition[MNEMONIC];
  if (!(*ret = asm_expect(l, in, is_cset ? "rl" : "rrrl")))
    return true;
  const char *given = asm_name(l, in, is_cset ? 1 : 3);
  size_t n = strlen(given) < sizeof condition ? strlen(given) : 0;
  for (size_t i = 0; i <= n; i++)
    condition[i] = (char)(given[i] | 0x20);
  condition[n] = 0;
  if (!(*ret = asm_condition(l, condition, &slot)))
    return build_refuse(l, "unsupported condition '%s'", given), true;
  if (is_cset) { // csinc of the zero register
    unsigned one = build_const(l, 1), zero = build_const(l, 0);
    asm_set(l, &in->at[0], build_pick(l, slot, one, zero));
    return true;
  }
  unsigned a = asm_value(l, &in->at[1]), b = asm_value(l, &in->at[2]);
  if (which == 1)
    b = build_binary(l, OP_add, b, build_const(l, 1), 64);
  else if (which)
    b = build_binary(l, OP_xor, b, build_const(l, UINT64_MAX), 64);
  if (which == 3)
    b = build_binary(l, OP_add, b, build_const(l, 1), 64);
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

static bool lower_extension(struct build *l, const struct asm_insn *in) {
  const char *name = in->name;
  unsigned width = name[3] == 'b' ? 8 : name[3] == 'h' ? 16 : 32;
  if (!asm_expect(l, in, "rr"))
    return false;
  unsigned value = asm_value(l, &in->at[1]);
  asm_set(l, &in->at[0],
          name[0] == 's' ? build_extend(l, value, width)
                         : build_cut(l, value, width));
  return true;
}

bool lower_aarch64(struct build *l, const struct asm_insn *in) {
  const char *name = in->name;
  bool ok;
  if (strcmp(name, "nop") == 0)
    return true;
  if (strcmp(name, "mov") == 0 || strcmp(name, "movz") == 0 ||
      strcmp(name, "adr") == 0)
    return lower_mov(l, in);
  if (strcmp(name, "cmp") == 0 || strcmp(name, "cmn") == 0 ||
      strcmp(name, "tst") == 0)
    return lower_compare(l, in);
  if (strcmp(name, "sxtw") == 0 || strcmp(name, "uxtw") == 0 ||
      strcmp(name, "uxtb") == 0 || strcmp(name, "uxth") == 0 ||
      strcmp(name, "sxtb") == 0 || strcmp(name, "sxth") == 0)
    return lower_extension(l, in);
  if (try_update(l, in, &ok) || try_access(l, in, &ok) ||
      try_barrier(l, in, &ok) || try_select(l, in, &ok) ||
      try_computation(l, in, &ok) || try_branch(l, in, &ok))
    return ok;
  return asm_unknown(l, in);
}
