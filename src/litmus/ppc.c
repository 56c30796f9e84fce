// SPDX-License-Identifier: MIT
// POWER. A word of memory holds a whole address here, as tests load and store
// addresses with lwz and stw.
#include "litmus/asm.h"

#include <string.h>
#include <strings.h>

static const struct access_how word = {.size = 8, .order = ORD_RLX};

// As the base of an address, and of what addi and addis add to, r0 is the
// number 0, whatever the register holds. (Not so in 0(r0), where herd takes the
// register.)
static unsigned base_value(struct build *l, const struct operand *o) {
  bool is_zero = o->kind == OPERAND_REG &&
                 strcmp(strings_get(&l->t->strings, o->name), "r0") == 0;
  return is_zero ? build_const(l, 0) : asm_value(l, o);
}

// ra + rb
static unsigned indexed(struct build *l, const struct asm_insn *in) {
  return build_binary(l, OP_add, base_value(l, &in->at[1]),
                      asm_value(l, &in->at[2]), 64);
}

// addi ra, rb, n; subi
static bool lower_add_number(struct build *l, const struct asm_insn *in,
                             enum op op) {
  if (!asm_expect(l, in, "rrn"))
    return false;
  asm_set(l, &in->at[0],
          build_binary(l, op, base_value(l, &in->at[1]),
                       asm_value(l, &in->at[2]), 64));
  return true;
}

// POWER has the highest byte of a word first, our cells have it last. What an
// aligned part of a word has in its place is there at an address with some bits
// turned round, as processors of POWER did themselves for the other byte order.
static unsigned place_of_part(struct build *l, unsigned address,
                              unsigned size) {
  return l->t->is_big
             ? build_binary(l, OP_xor, address, build_const(l, 4 - size), 64)
             : address;
}

// Beside parts of words, what was read of a cell is a word.
static unsigned load_cell(struct build *l, unsigned address,
                          struct access_how how, bool is_signed) {
  unsigned value = build_load(l, address, how);
  return is_signed || l->t->is_big ? build_extend(l, value, 32) : value;
}

// It says in cr0 whether it succeeded: "equal" if so.
static void store_conditional(struct build *l, const struct asm_insn *in,
                              unsigned address, struct access_how how) {
  asm_compare(
      l, build_conditional_store(l, address, asm_value(l, &in->at[0]), how),
      build_const(l, 1), 64);
}

// lbarx rt, ra, rb; sthcx. rs, ra, rb: bytes and halves.
static bool try_linked_part(struct build *l, const struct asm_insn *in,
                            bool *ret) {
  const char *name = in->name;
  bool is_load = strcmp(name, "lbarx") == 0 || strcmp(name, "lharx") == 0;
  if (!is_load && strcmp(name, "stbcx.") != 0 && strcmp(name, "sthcx.") != 0)
    return false;
  struct access_how how = {.size = name[is_load ? 1 : 2] == 'b' ? 1 : 2,
                           .order = ORD_RLX,
                           .how = HOW_LINKED};
  if (!(*ret = asm_expect(l, in, "rvr")))
    return true;
  unsigned address = place_of_part(l, indexed(l, in), how.size);
  if (is_load)
    asm_set(l, &in->at[0], build_load(l, address, how));
  else
    store_conditional(l, in, address, how);
  return true;
}

// lbz rt, n(ra); sthx rs, ra, rb: bytes and halves.
static bool try_part(struct build *l, const struct asm_insn *in, bool *ret) {
  static const struct {
    const char *name;
    unsigned size;
    bool is_load, is_signed;
  } rows[] = {{"lbz", 1, true, false},
              {"lhz", 2, true, false},
              {"lha", 2, true, true},
              {"stb", 1, false, false},
              {"sth", 2, false, false}};
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    size_t n = strlen(rows[i].name);
    bool is_indexed = strcmp(in->name + n, "x") == 0;
    if (strncmp(in->name, rows[i].name, n) != 0 || (in->name[n] && !is_indexed))
      continue;
    struct access_how how = {.size = rows[i].size, .order = ORD_RLX};
    if (!(*ret = asm_expect(l, in, is_indexed ? "rvr" : "rm")))
      return true;
    unsigned address = is_indexed ? indexed(l, in) : asm_address(l, &in->at[1]);
    address = place_of_part(l, address, how.size);
    if (!rows[i].is_load) {
      build_store(l, address, asm_value(l, &in->at[0]), how);
      return true;
    }
    unsigned value = build_load(l, address, how);
    asm_set(l, &in->at[0],
            rows[i].is_signed ? build_extend(l, value, 16) : value);
    return true;
  }
  return false;
}

static bool try_access(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  struct access_how how = word;
  bool is_linked = strcmp(name, "lwarx") == 0 || strcmp(name, "ldarx") == 0;
  bool is_signed = strcmp(name, "lwa") == 0 || strcmp(name, "lwax") == 0;
  bool is_double = strncmp(name, "ld", 2) == 0 || strncmp(name, "std", 3) == 0;
  if (is_double && (l->t->has_words || l->t->is_big)) {
    *ret =
        build_refuse(l, "'%s' beside %s is not supported", name,
                     l->t->is_big ? "bytes and halves" : "an array of words");
    return true;
  }
  if (strcmp(name, "lwa") == 0 || strcmp(name, "lwz") == 0 ||
      strcmp(name, "ld") == 0) {
    if (!(*ret = asm_expect(l, in, "rm")))
      return true;
    asm_set(l, &in->at[0],
            load_cell(l, asm_address(l, &in->at[1]), how, is_signed));
  } else if (strcmp(name, "lwzx") == 0 || strcmp(name, "ldx") == 0 ||
             is_signed || is_linked) {
    how.how = is_linked ? HOW_LINKED : 0;
    if (!(*ret = asm_expect(l, in, "rvr")))
      return true;
    asm_set(l, &in->at[0], load_cell(l, indexed(l, in), how, is_signed));
  } else if (strcmp(name, "stw") == 0 || strcmp(name, "std") == 0) {
    if ((*ret = asm_expect(l, in, "rm")))
      build_store(l, asm_address(l, &in->at[1]), asm_value(l, &in->at[0]), how);
  } else if (strcmp(name, "stwx") == 0 || strcmp(name, "stdx") == 0) {
    if ((*ret = asm_expect(l, in, "rvr")))
      build_store(l, indexed(l, in), asm_value(l, &in->at[0]), how);
  } else if (strcmp(name, "stwcx.") == 0 || strcmp(name, "stdcx.") == 0) {
    if ((*ret = asm_expect(l, in, "rvr")))
      store_conditional(l, in, indexed(l, in), how);
  } else {
    return false;
  }
  return true;
}

// lwzu rt, n(ra); stwux rs, ra, rb: ra is the address afterwards.
static bool try_update(struct build *l, const struct asm_insn *in, bool *ret) {
  struct asm_insn plain = *in;
  const char *u = strchr(in->name, 'u');
  bool is_load = *in->name == 'l';
  if ((!is_load && strncmp(in->name, "st", 2) != 0) || !u ||
      (u[1] && strcmp(u + 1, "x") != 0))
    return false;
  memmove(plain.name + (u - in->name), u + 1, strlen(u));
  bool is_indexed = u[1];
  if (!(*ret = asm_expect(l, in, is_indexed ? "rrr" : "rm")))
    return true;
  struct operand base = {.kind = OPERAND_REG, .width = 64};
  base.name = is_indexed ? in->at[1].name : in->at[1].base;
  const char *name = strings_get(&l->t->strings, base.name);
  if (strcmp(name, "r0") == 0 || (is_load && base.name == in->at[0].name))
    return *ret = build_refuse(l, "'%s' cannot move %s", in->name, name), true;
  unsigned address = is_indexed ? indexed(l, in) : asm_address(l, &in->at[1]);
  if (!try_part(l, &plain, ret) && !try_access(l, &plain, ret))
    return false;
  asm_set(l, &base, address);
  return true;
}

static bool try_computation(struct build *l, const struct asm_insn *in,
                            bool *ret) {
  static const struct asm_computation rows[] = {
      {.name = "add", .op = OP_add},
      {.name = "sub", .op = OP_sub},
      {.name = "subf", .op = OP_sub, .is_swapped = true},
      {.name = "and", .op = OP_and},
      {.name = "andi", .op = OP_and},
      {.name = "andc", .op = OP_and, .inverts_last = true},
      {.name = "nand", .op = OP_and, .inverts_result = true},
      {.name = "or", .op = OP_or},
      {.name = "ori", .op = OP_or},
      {.name = "orc", .op = OP_or, .inverts_last = true},
      {.name = "nor", .op = OP_or, .inverts_result = true},
      {.name = "xor", .op = OP_xor},
      {.name = "xori", .op = OP_xor},
      {.name = "eqv", .op = OP_xor, .inverts_result = true},
      {.name = "mullw", .op = OP_mul},
      {.name = "mulli", .op = OP_mul},
  };
  return asm_try_computation(l, in, rows, LENGTH(rows), ".", ret);
}

// The bits from `first` to `last`, where 0 is the highest of 32; they may go
// round the end.
static uint64_t bits_of_mask(uint64_t first, uint64_t last) {
  uint32_t from = UINT32_MAX >> (first & 31);
  uint32_t to = UINT32_MAX << (31 - (last & 31));
  return first <= last ? from & to : from | to;
}

// rlwinm ra, rs, by, first, last: a word, rotated to the left, and a mask;
// rlwimi: what the mask leaves out stays.
static bool lower_rotate(struct build *l, const struct asm_insn *in) {
  bool keeps = strcmp(in->name, "rlwimi") == 0;
  if (!asm_expect(l, in, "rrnnn"))
    return false;
  unsigned word_of = build_cut(l, asm_value(l, &in->at[1]), 32);
  unsigned by = in->at[2].number & 31;
  unsigned high = build_binary(l, OP_shl, word_of, build_const(l, by), 32);
  unsigned low = build_binary(l, OP_lshr, word_of, build_const(l, 31 - by), 32);
  low = build_binary(l, OP_lshr, low, build_const(l, 1), 32);
  uint64_t mask = bits_of_mask(in->at[3].number, in->at[4].number);
  if (keeps && in->at[3].number > in->at[4].number)
    return build_refuse(l, "a mask that goes round the end is not supported");
  unsigned result =
      build_binary(l, OP_and, build_binary(l, OP_or, high, low, 64),
                   build_const(l, mask), 64);
  if (keeps)
    result = build_binary(l, OP_or, result,
                          build_binary(l, OP_and, asm_value(l, &in->at[0]),
                                       build_const(l, ~mask), 64),
                          64);
  asm_set(l, &in->at[0], result);
  return true;
}

// slw ra, rs, rb; srawi ra, rs, n; sldi
static bool try_shift(struct build *l, const struct asm_insn *in, bool *ret) {
  static const struct {
    const char *name;
    enum op op;
    bool is_double;
  } rows[] = {{"slw", OP_shl, false},   {"slwi", OP_shl, false},
              {"srw", OP_lshr, false},  {"srwi", OP_lshr, false},
              {"sraw", OP_ashr, false}, {"srawi", OP_ashr, false},
              {"sldi", OP_shl, true},   {"srdi", OP_lshr, true}};
  unsigned i = 0, n = LENGTH(rows);
  while (i < n && strcmp(in->name, rows[i].name) != 0)
    i++;
  if (i == n)
    return false;
  bool has_number = in->name[strlen(in->name) - 1] == 'i';
  if (!(*ret = asm_expect(l, in, has_number ? "rrn" : "rrr")))
    return true;
  if (has_number && in->at[2].number >= (rows[i].is_double ? 64 : 32))
    return *ret = build_refuse(l, "'%s' by a number below %d expected",
                               in->name, rows[i].is_double ? 64 : 32),
           true;
  unsigned value = asm_value(l, &in->at[1]), by = asm_value(l, &in->at[2]);
  asm_set(l, &in->at[0],
          rows[i].is_double ? build_binary(l, rows[i].op, value, by, 64)
                            : asm_shift_word(l, rows[i].op, value, by));
  return true;
}

// neg, not, extsb, extsh, extsw ra, rs
static bool try_unary(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  unsigned width = strcmp(name, "extsb") == 0   ? 8
                   : strcmp(name, "extsh") == 0 ? 16
                   : strcmp(name, "extsw") == 0 ? 32
                                                : 0;
  bool is_neg = strcmp(name, "neg") == 0;
  if (!width && !is_neg && strcmp(name, "not") != 0)
    return false;
  if (!(*ret = asm_expect(l, in, "rr")))
    return true;
  unsigned value = asm_value(l, &in->at[1]);
  asm_set(l, &in->at[0],
          width    ? build_extend(l, value, width)
          : is_neg ? asm_negate(l, value)
                   : asm_invert(l, value));
  return true;
}

// oris ra, rs, n; xoris
static bool lower_high(struct build *l, const struct asm_insn *in, enum op op) {
  if (!asm_expect(l, in, "rrn"))
    return false;
  asm_set(l, &in->at[0],
          build_binary(l, op, asm_value(l, &in->at[1]),
                       build_const(l, (in->at[2].number & 0xffff) << 16), 64));
  return true;
}

// addis ra, rb, n; lis ra, n; clrldi ra, rs, n; clrlwi; rlwinm
static bool try_bits(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  if (strcmp(name, "addis") == 0) {
    if ((*ret = asm_expect(l, in, "rrn"))) {
      unsigned high = build_const(l, in->at[2].number << 16);
      asm_set(l, &in->at[0],
              build_binary(l, OP_add, base_value(l, &in->at[1]),
                           build_extend(l, high, 32), 64));
    }
  } else if (strcmp(name, "lis") == 0) {
    if ((*ret = asm_expect(l, in, "rn")))
      asm_set(l, &in->at[0],
              build_extend(l, build_const(l, in->at[1].number << 16), 32));
  } else if (strcmp(name, "oris") == 0 || strcmp(name, "xoris") == 0) {
    *ret = lower_high(l, in, *name == 'o' ? OP_or : OP_xor);
  } else if (strcmp(name, "clrldi") == 0 || strcmp(name, "clrlwi") == 0) {
    uint64_t all = name[3] == 'l' && name[4] == 'd' ? UINT64_MAX : UINT32_MAX;
    if ((*ret = asm_expect(l, in, "rrn")))
      asm_set(l, &in->at[0],
              build_binary(l, OP_and, asm_value(l, &in->at[1]),
                           build_const(l, all >> (in->at[2].number & 63)), 64));
  } else if (strcmp(name, "rlwinm") == 0 || strcmp(name, "rlwimi") == 0) {
    *ret = lower_rotate(l, in);
  } else {
    return false;
  }
  return true;
}

// A field of flags before the other operands must be the first one.
static bool is_first_field(struct build *l, const struct asm_insn *in) {
  return strcasecmp(asm_name(l, in, 0), "cr0") == 0 ||
         build_refuse(l, "'%s' of another field than cr0 is not supported",
                      in->name);
}

// cmpw [cr0,] ra, rb; cmplw: unsigned
static bool lower_compare(struct build *l, const struct asm_insn *in) {
  unsigned first = asm_matches(in, "lrv");
  if (first ? !is_first_field(l, in) : !asm_expect(l, in, "rv"))
    return false;
  unsigned a = asm_value(l, &in->at[first]);
  unsigned b = asm_value(l, &in->at[first + 1]);
  if (in->name[3] == 'l' && in->name[4] == 'd') {
    // As signed numbers, with the upper half first.
    unsigned half = build_const(l, UINT64_C(1) << 63);
    a = build_binary(l, OP_xor, a, half, 64);
    b = build_binary(l, OP_xor, b, half, 64);
  } else if (in->name[3] == 'l') { // unsigned words are numbers of 64 bits
    a = build_cut(l, a, 32);
    b = build_cut(l, b, 32);
  }
  asm_compare(l, a, b, 64);
  return true;
}

// b, beq, bne-, ... [cr0,] label
static bool try_branch(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  char condition[MNEMONIC];
  unsigned slot, label = asm_matches(in, "ll");
  if (name[0] != 'b')
    return false;
  if (strcmp(name, "b") == 0) {
    *ret = asm_jump(l, in);
    return true;
  }
  memcpy(condition, name + 1, sizeof condition - 1);
  condition[sizeof condition - 1] = 0;
  const char *known = strcmp(condition, "nl") == 0   ? "ge"
                      : strcmp(condition, "ng") == 0 ? "le"
                                                     : condition;
  if (!asm_condition(l, known, &slot))
    return false;
  if ((*ret = label ? is_first_field(l, in) : asm_expect(l, in, "l")))
    asm_branch(l, slot, &in->at[label]);
  return true;
}

// rlwinm. and relatives: the same, and the result is compared with 0.
static bool try_record(struct build *l, const struct asm_insn *in, bool *ret) {
  struct asm_insn plain = *in;
  size_t n = strlen(in->name);
  if (in->name[n - 1] != '.')
    return false;
  plain.name[n - 1] = 0;
  if (strcmp(plain.name, "mr") == 0)
    *ret = asm_move(l, &plain);
  else if (!try_bits(l, &plain, ret) && !try_shift(l, &plain, ret) &&
           !try_unary(l, &plain, ret))
    return false;
  if (*ret)
    asm_flag_result(l, asm_value(l, &in->at[0]), 64, /*keeps=*/false);
  return true;
}

// Which size an access has by its name: 'b', 'h', or 'w'; 0: it is none.
static char size_of_access(const struct token *t) {
  static const char *const stems[] = {
      "lbz", "stb",  "lhz",    "lha",  "sth",    "lwz",  "lwa",
      "stw", "lwar", "stwcx.", "lbar", "stbcx.", "lhar", "sthcx."};
  char name[MNEMONIC];
  scan_copy(t, name, sizeof name);
  size_t n = strlen(name);
  n -= n && (name[n - 1] | 0x20) == 'x';
  n -= n && (name[n - 1] | 0x20) == 'u';
  name[n] = 0;
  for (unsigned i = 0; t->kind == TOK_NAME && i < LENGTH(stems); i++)
    if (strcasecmp(name, stems[i]) == 0)
      return stems[i][*stems[i] == 'l' ? 1 : 2];
  return 0;
}

bool ppc_is_big(const struct litmus *t) {
  char one = 0; // the first size of an access, or that of a declared word
  bool differs = false;
  for (uint32_t i = 0; t->arch == ARCH_PPC && i < t->locations.len; i++)
    one |= t->locations.at[i].number.size == 4 ? 'w' : 0;
  for (uint32_t i = 0; t->arch == ARCH_PPC && i < t->threads.len; i++)
    for (uint32_t k = 0; k < t->threads.at[i].code.len; k++) {
      char size = size_of_access(&t->threads.at[i].code.at[k]);
      differs |= one && size && size != one;
      one = one ? one : size;
    }
  return differs;
}

bool lower_ppc(struct build *l, const struct asm_insn *in) {
  static const struct {
    const char *name;
    enum fence_kind kind;
    enum order order;
  } fences[] = {
      {"sync", FENCE_SYNC, ORD_SC},         {"hwsync", FENCE_SYNC, ORD_SC},
      {"lwsync", FENCE_LWSYNC, ORD_ACQREL}, {"isync", FENCE_ISYNC, ORD_NA},
      {"eieio", FENCE_EIEIO, ORD_NA},
  };
  bool ok;
  // sync 0 and sync 1 are what the processor calls them.
  bool has_kind = strcmp(in->name, "sync") == 0 && asm_matches(in, "n") &&
                  in->at[0].number < 2;
  const char *name = has_kind && in->at[0].number ? "lwsync" : in->name;
  for (unsigned i = 0; i < LENGTH(fences); i++)
    if (strcmp(name, fences[i].name) == 0)
      return (has_kind || asm_expect(l, in, "")) &&
             (build_fence(l, fences[i].kind, fences[i].order), true);
  if (strcmp(in->name, "nop") == 0)
    return asm_expect(l, in, "");
  if (strcmp(in->name, "blr") == 0 && !in->count)
    return asm_return(l), true;
  if (strcmp(in->name, "li") == 0 || strcmp(in->name, "mr") == 0)
    return asm_move(l, in);
  if (strcmp(in->name, "addi") == 0 || strcmp(in->name, "subi") == 0)
    return lower_add_number(l, in, *in->name == 'a' ? OP_add : OP_sub);
  if (strcmp(in->name, "cmpw") == 0 || strcmp(in->name, "cmpwi") == 0 ||
      strcmp(in->name, "cmplw") == 0 || strcmp(in->name, "cmplwi") == 0 ||
      strcmp(in->name, "cmpd") == 0 || strcmp(in->name, "cmpdi") == 0 ||
      strcmp(in->name, "cmpld") == 0 || strcmp(in->name, "cmpldi") == 0)
    return lower_compare(l, in);
  if (try_part(l, in, &ok) || try_linked_part(l, in, &ok) ||
      try_access(l, in, &ok) || try_update(l, in, &ok) ||
      try_computation(l, in, &ok) || try_bits(l, in, &ok) ||
      try_shift(l, in, &ok) || try_unary(l, in, &ok) ||
      try_record(l, in, &ok) || try_branch(l, in, &ok))
    return ok;
  return asm_unknown(l, in);
}
