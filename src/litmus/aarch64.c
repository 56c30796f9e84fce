// SPDX-License-Identifier: MIT
// AArch64. All accesses are atomic ones; LDAR is sc, LDAPR acquire, STLR
// release, which is how the model tells the sets A, Q and L.
#include "litmus/aarch64.h"

#include <string.h>
#include <strings.h>

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static struct access_how how_of(const struct isa_access *a,
                                const struct operand *o) {
  static const enum order orders[] = {[ISA_PLAIN] = ORD_RLX,
                                      [ISA_ACQUIRE_PC] = ORD_ACQ,
                                      [ISA_ACQUIRE] = ORD_SC,
                                      [ISA_RELEASE] = ORD_REL};
  return (struct access_how){.size = (a->width ? a->width : o->width) / 8,
                             .order = orders[a->order],
                             .how = a->is_exclusive ? HOW_LINKED : 0};
}

// ldr X0,x: the location is near. ldr X0,[X0,:got_lo12:x]: its address, which
// the linker has put there, so that nothing of the test is read.
static bool lower_load_insn(struct build *l, const struct asm_insn *in,
                            const struct isa_access *a) {
  struct operand from = in->at[1];
  bool may_be_near =
      strcmp(in->name, "ldr") == 0 || strcmp(in->name, "ldrsw") == 0;
  if (may_be_near && asm_matches(in, "rl")) {
    if (asm_is_label(l, from.name))
      return build_refuse(l, "code as data is not supported");
    from = (struct operand){.kind = OPERAND_MEMORY, .symbol = from.name};
  } else if (!asm_expect_access(l, in, "r")) {
    return false;
  }
  if (from.base && from.symbol) {
    if (in->at[0].width != 64)
      return build_refuse(l, "an address fills a register");
    from.base = 0;
    asm_set(l, &in->at[0], asm_address(l, &from));
    return true;
  }
  struct access_how how = how_of(a, &in->at[0]);
  unsigned value = build_load(l, asm_address(l, &from), how);
  if (a->is_signed)
    value = build_extend(l, value, how.size * 8);
  asm_move_base(l, in, 1);
  asm_set(l, &in->at[0], value);
  return true;
}

static bool lower_store_insn(struct build *l, const struct asm_insn *in,
                             const struct isa_access *a) {
  if (a->is_exclusive)
    return asm_expect(l, in, "rrm") &&
           asm_conditional_store(l, in, how_of(a, &in->at[1]));
  if (!asm_expect_access(l, in, "r"))
    return false;
  build_store(l, asm_address(l, &in->at[1]), asm_value(l, &in->at[0]),
              how_of(a, &in->at[0]));
  asm_move_base(l, in, 1);
  return true;
}

static bool try_access(struct build *l, const struct asm_insn *in, bool *ret) {
  struct isa_access a;
  if (!isa_arm_access(in->name, &a))
    return false;
  *ret = a.is_load ? lower_load_insn(l, in, &a) : lower_store_insn(l, in, &a);
  return true;
}

// -- two registers. These are two accesses. The order of plain ones says
// nothing; those that acquire or release are made in order, from the lower
// address up, and stilp from the higher one down if it moves its base first.

// The base is what it was at the beginning: it depends on nothing.
static bool is_fixed(const struct build *l, uint32_t base) {
  const struct litmus_thread *t = &l->t->threads.at[l->thread];
  char text[64], name[32];
  unsigned width;
  for (uint32_t i = 1; i < t->code.len; i++) {
    scan_copy(&t->code.at[i], text, sizeof text);
    if (t->code.at[i].kind == TOK_NAME && !scan_is(&t->code.at[i - 1], "[") &&
        register_name(l->t->arch, text, name, &width) &&
        strcmp(name, strings_get(&l->t->strings, base)) == 0)
      return false;
  }
  return true;
}

static bool try_pair(struct build *l, const struct asm_insn *in, bool *ret) {
  static const struct {
    const char *name;
    bool is_load;
    enum order order;
  } rows[] = {{"ldp", true, ORD_RLX},   {"ldnp", true, ORD_RLX},
              {"ldpsw", true, ORD_RLX}, {"ldiapp", true, ORD_ACQ},
              {"stp", false, ORD_RLX},  {"stnp", false, ORD_RLX},
              {"stilp", false, ORD_REL}};
  unsigned i = 0, n = LENGTH(rows);
  while (i < n && strcmp(in->name, rows[i].name) != 0)
    i++;
  if (i == n)
    return false;
  if (!(*ret = asm_expect_access(l, in, "rr")))
    return true;
  if (strcmp(in->name, "ldnp") == 0 && !is_fixed(l, in->at[2].base))
    return *ret = build_refuse(l, "'ldnp' of an address that is computed: it "
                                  "may be done before what that depends on"),
           true;
  bool is_words = strcmp(in->name, "ldpsw") == 0;
  struct access_how how = {.size = is_words ? 4 : in->at[0].width / 8,
                           .order = rows[i].order};
  unsigned at[2] = {asm_address(l, &in->at[2]), 0}, value[2];
  at[1] = build_binary(l, OP_add, at[0], build_const(l, how.size), 64);
  for (unsigned turn = 0; turn < 2; turn++) {
    unsigned k = turn ^ (in->at[2].moves_base && rows[i].order == ORD_REL);
    if (rows[i].is_load)
      value[k] = build_load(l, at[k], how);
    else
      build_store(l, at[k], asm_value(l, &in->at[k]), how);
  }
  asm_move_base(l, in, 2);
  for (unsigned k = 0; rows[i].is_load && k < 2; k++)
    asm_set(l, &in->at[k], is_words ? build_extend(l, value[k], 32) : value[k]);
  return true;
}

// -- two words at once, by one access of eight bytes: pairs that reserve, and
// compare-exchanges of pairs.

static bool are_words(struct build *l, const struct asm_insn *in,
                      unsigned from) {
  for (unsigned i = from; i + 1 < in->count; i++)
    if (in->at[i].width != 32)
      return build_refuse(l, "'%s' of doublewords is not supported", in->name);
  return true;
}

// The first register is the lower half.
static unsigned words_value(struct build *l, const struct operand *pair) {
  unsigned high =
      build_binary(l, OP_shl, asm_value(l, &pair[1]), build_const(l, 32), 64);
  return build_binary(l, OP_or, build_cut(l, asm_value(l, &pair[0]), 32), high,
                      64);
}

static void set_words(struct build *l, const struct operand *pair,
                      unsigned value) {
  asm_set(l, &pair[0], value);
  asm_set(l, &pair[1], build_binary(l, OP_lshr, value, build_const(l, 32), 64));
}

// W2, W3: the number of the first is even.
static bool is_even_pair(const struct build *l, const struct operand *pair) {
  unsigned first, second, width;
  return isa_arm_register(strings_get(&l->t->strings, pair[0].name), &first,
                          &width) &&
         isa_arm_register(strings_get(&l->t->strings, pair[1].name), &second,
                          &width) &&
         first % 2 == 0 && second == first + 1;
}

static bool lower_words_update(struct build *l, const struct asm_insn *in,
                               bool acquires, bool releases) {
  if (!asm_expect(l, in, "rrrrm") || !are_words(l, in, 0))
    return false;
  if (!is_even_pair(l, &in->at[0]) || !is_even_pair(l, &in->at[2]))
    return build_refuse(l, "'%s' needs pairs such as W2,W3", in->name);
  struct access_how read = {
      .size = 8, .order = acquires ? ORD_ACQ : ORD_RLX, .how = HOW_PICK};
  struct access_how write = {
      .size = 8, .order = releases ? ORD_REL : ORD_RLX, .how = HOW_PICK};
  unsigned ok;
  read.order_fail = read.order; // it acquires even if it fails
  set_words(l, &in->at[0],
            build_cas(l, asm_address(l, &in->at[4]), words_value(l, &in->at[0]),
                      words_value(l, &in->at[2]), read, write, &ok));
  return true;
}

static bool lower_words_store(struct build *l, const struct asm_insn *in,
                              struct access_how how) {
  if (!asm_expect(l, in, "rrrm") || !are_words(l, in, 1))
    return false;
  unsigned ok = build_conditional_store(l, asm_address(l, &in->at[3]),
                                        words_value(l, &in->at[1]), how);
  asm_set(l, &in->at[0], build_binary(l, OP_xor, ok, build_const(l, 1), 64));
  return true;
}

static bool try_words(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  struct access_how how = {.size = 8, .order = ORD_RLX, .how = HOW_LINKED};
  bool acquires, releases;
  if (begins(name, "casp") &&
      !*isa_arm_letters(name + 4, &acquires, &releases)) {
    *ret = lower_words_update(l, in, acquires, releases);
  } else if (strcmp(name, "stxp") == 0 || strcmp(name, "stlxp") == 0) {
    how.order = name[2] == 'l' ? ORD_REL : ORD_RLX;
    *ret = lower_words_store(l, in, how);
  } else if (strcmp(name, "ldxp") == 0 || strcmp(name, "ldaxp") == 0) {
    how.order = name[2] == 'a' ? ORD_SC : ORD_RLX;
    if ((*ret = asm_expect(l, in, "rrm") && are_words(l, in, 0)))
      set_words(l, &in->at[0], build_load(l, asm_address(l, &in->at[2]), how));
  } else {
    return false;
  }
  return true;
}

// swp, ldadd ...: Rs, Rt, [Xn]; stadd ...: Rs, [Xn]; cas: Rs, Rt, [Xn]
static bool lower_update_insn(struct build *l, const struct asm_insn *in,
                              const struct isa_update *u) {
  if (!asm_expect(l, in, u->is_store ? "rm" : "rrm"))
    return false;
  // An update does not acquire if what it read goes nowhere. A compare-exchange
  // puts that into its first register; the second is what it stores.
  bool is_cas = u->op == OP_cas_load;
  const char *to = strings_get(&l->t->strings, in->at[is_cas ? 0 : 1].name);
  bool is_noret = u->is_store || strcmp(to, "XZR") == 0;
  unsigned size = (u->width ? u->width : in->at[0].width) / 8;
  struct access_how read = {
      .size = size,
      .order = u->acquires && !is_noret ? ORD_ACQ : ORD_RLX,
      .how = is_noret ? HOW_NORET : 0,
  };
  struct access_how write = {.size = size,
                             .order = u->releases ? ORD_REL : ORD_RLX};
  unsigned address = asm_address(l, &in->at[u->is_store ? 1 : 2]);
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
  if (u->is_complement)
    value = build_binary(l, OP_xor, value, build_const(l, UINT64_MAX), 64);
  old = build_update(l, u->op, address, value, read, write);
  if (!u->is_store)
    asm_set(l, &in->at[1], old);
  return true;
}

// Is it one? *ret: was it lowered?
static bool try_update(struct build *l, const struct asm_insn *in, bool *ret) {
  struct isa_update u;
  if (!isa_arm_update(in->name, &u))
    return false;
  *ret = lower_update_insn(l, in, &u);
  return true;
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
  bool is_isb = strcmp(in->name, "isb") == 0;
  if (!is_isb && !is_dmb && strcmp(in->name, "dsb") != 0)
    return false;
  const char *domain = in->count ? asm_name(l, in, 0) : "sy";
  unsigned n = in->count > 1 ? 0 : is_isb ? 1 : LENGTH(rows);
  *ret = false;
  for (unsigned i = 0; i < n; i++)
    if (strcasecmp(rows[i].name, domain) == 0) {
      if (is_isb)
        build_fence(l, FENCE_ISB, ORD_NA);
      else
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

// What has no meaning for memory: hints, events to wait for, prefetches.
static bool is_hint(const char *name) {
  static const char *const names[] = {"hint", "yield", "wfe",  "wfi",
                                      "sev",  "sevl",  "csdb", "dgh",
                                      "bti",  "prfm",  "prfum"};
  for (unsigned i = 0; i < LENGTH(names); i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

bool lower_aarch64(struct build *l, const struct asm_insn *in) {
  bool ok;
  if (strcmp(in->name, "nop") == 0)
    return asm_expect(l, in, "");
  if (is_hint(in->name))
    return true;
  if (strcmp(in->name, "ret") == 0 && !in->count)
    return asm_return(l), true;
  if (try_update(l, in, &ok) || try_pair(l, in, &ok) || try_words(l, in, &ok) ||
      try_access(l, in, &ok) || try_barrier(l, in, &ok) ||
      aarch64_try_compute(l, in, &ok) || try_branch(l, in, &ok))
    return ok;
  return asm_unknown(l, in);
}
