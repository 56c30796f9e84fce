// SPDX-License-Identifier: MIT
// BPF, the Linux kernel's machine for small programs, in the assembly that
// LLVM and the kernel's tests write (RFC 9669 says what instructions do):
//
//   r1 = *(u32 *)(r2 + 0)     *(u32 *)(r2 + 0) = r1     r1 += 4
//   r1 = load_acquire((u32 *)(r2 + 0))                  if r1 == 0 goto L
//   store_release((u32 *)(r2 + 0), r1)                  goto L
//   r1 = atomic_fetch_add((u64 *)(r2 + 0), r1)          exit
//   r0 = cmpxchg_64(r2 + 0, r0, r1)   r1 = xchg_64(r2 + 0, r1)
//   lock *(u32 *)(r2 + 0) += r1
//
// A location holds a number or an address, so words and doublewords are the
// same here, as in herd. What returns a value is fully ordered if it writes.
#include "litmus/words.h"

#include <string.h>

static struct access_how how_of(enum order o) {
  return (struct access_how){.size = 8, .order = o};
}

// -- operands

static bool expect_slot(struct words *w, unsigned *slot) {
  uint32_t name = 0;
  if (!words_expect_register(w, &name))
    return false;
  *slot = build_register(w->l, name);
  return true;
}

// register | ['-'] number
static bool read_value(struct words *w, unsigned *ret) {
  uint64_t number;
  if (!words_number(w, &number))
    return expect_slot(w, ret);
  *ret = build_const(w->l, number);
  return true;
}

// register [('+' | '-') number]
static bool read_sum(struct words *w, unsigned *ret) {
  uint64_t number = 0;
  if (!expect_slot(w, ret))
    return false;
  bool is_less = words_accept(w, "-");
  if (!is_less && !words_accept(w, "+"))
    return true;
  if (!words_number(w, &number))
    return build_refuse(w->l, "a number expected behind a base register");
  if (number)
    *ret = build_binary(w->l, is_less ? OP_sub : OP_add, *ret,
                        build_const(w->l, number), 64);
  return true;
}

// '(' (u32 | u64) '*' ')': a type of what is accessed
static bool expect_type(struct words *w) {
  if (!words_expect(w, "("))
    return false;
  if (!words_accept(w, "u32") && !words_accept(w, "u64"))
    return build_refuse(w->l, "accesses of u32 or u64 expected: a location is "
                              "one cell");
  return words_expect(w, "*") && words_expect(w, ")");
}

// [type] '(' sum ')'
static bool read_address(struct words *w, unsigned *ret) {
  return expect_type(w) && words_expect(w, "(") && read_sum(w, ret) &&
         words_expect(w, ")");
}

// '+' | '-' | ... and whatever is its own: the operation of an assignment
static bool accept_operation(struct words *w, enum op *ret) {
  static const struct {
    const char *first, *second;
    enum op op;
  } rows[] = {
      {"+=", NULL, OP_add}, {"-=", NULL, OP_sub}, {"|=", NULL, OP_or},
      {"*", "=", OP_mul},   {"&", "=", OP_and},   {"^", "=", OP_xor},
      {"<<", "=", OP_shl},  {">>", "=", OP_lshr},
  };
  struct words n = *w;
  bool is_signed = words_accept(&n, "s"); // s>>=
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    struct words at = n;
    if ((is_signed && rows[i].op != OP_lshr) ||
        !words_accept(&at, rows[i].first) ||
        (rows[i].second && !words_accept(&at, rows[i].second)))
      continue;
    *ret = is_signed ? OP_ashr : rows[i].op;
    w->at = at.at;
    return true;
  }
  return false;
}

// -- instructions

// *(u32 *)(r + 0) = value
static bool lower_store(struct words *w) {
  unsigned address = 0, value = 0;
  if (!read_address(w, &address) || !words_expect(w, "=") ||
      !read_value(w, &value))
    return false;
  build_store(w->l, address, value, how_of(ORD_RLX));
  return true;
}

// store_release((u32 *)(r + 0), r)
static bool lower_release(struct words *w) {
  unsigned address = 0, value = 0;
  if (!words_expect(w, "(") || !read_address(w, &address) ||
      !words_expect(w, ",") || !expect_slot(w, &value) || !words_expect(w, ")"))
    return false;
  build_store(w->l, address, value, how_of(ORD_REL));
  return true;
}

// lock *(u32 *)(r + 0) += r
static bool lower_lock(struct words *w) {
  unsigned address = 0, value = 0;
  enum op op = OP_mov;
  if (!words_expect(w, "*") || !read_address(w, &address))
    return false;
  if (!accept_operation(w, &op) ||
      (op != OP_add && op != OP_and && op != OP_or && op != OP_xor))
    return build_refuse(w->l, "'lock' does +=, &=, |= and ^=");
  if (!expect_slot(w, &value))
    return false;
  build_update(w->l, op, address, value, how_of(ORD_RLX), how_of(ORD_RLX));
  return true;
}

// if r == value goto label. Comparisons are of unsigned numbers, but for those
// with an s.
static bool lower_if(struct words *w) {
  static const struct {
    const char *text;
    enum op op, signed_op;
    bool is_swapped;
  } rows[] = {
      {"==", OP_eq, OP_mov, false}, {"!=", OP_ne, OP_mov, false},
      {"<", OP_ult, OP_slt, false}, {"<=", OP_ule, OP_sle, false},
      {">", OP_ult, OP_slt, true},  {">=", OP_ule, OP_sle, true},
      {"&", OP_and, OP_mov, false},
  };
  unsigned a = 0, b = 0, i = 0;
  uint32_t label = 0;
  if (!expect_slot(w, &a))
    return false;
  bool is_signed = words_accept(w, "s");
  while (i < LENGTH(rows) && !words_accept(w, rows[i].text))
    i++;
  if (i == LENGTH(rows) || (is_signed && rows[i].signed_op == OP_mov))
    return build_refuse(w->l, "a comparison expected: ==, !=, <, <=, >, >=, "
                              "s<, s<=, s>, s>= or &");
  if (!read_value(w, &b) || !words_expect(w, "goto") || !words_label(w, &label))
    return false;
  uint32_t next = build_label(w->l, 0);
  bool swap = rows[i].is_swapped;
  build_branch(w->l,
               build_binary(w->l, is_signed ? rows[i].signed_op : rows[i].op,
                            swap ? b : a, swap ? a : b, 64),
               label, next);
  build_place(w->l, next);
  return true;
}

static bool lower_goto(struct words *w) {
  uint32_t label = 0;
  if (!words_label(w, &label))
    return false;
  build_jump(w->l, label);
  return true;
}

static bool lower_exit(struct words *w) {
  asm_return(w->l);
  return true;
}

// -- what yields a value: r = ...

// atomic_fetch_add((u64 *)(r + 0), r) and xchg_64(r + 0, r), which yield into
// the register of their operand.
static bool read_update(struct words *w, enum op op, unsigned to,
                        unsigned *ret) {
  unsigned address = 0, value = 0;
  if (!words_expect(w, "(") ||
      !(op == OP_mov ? read_sum(w, &address) : read_address(w, &address)) ||
      !words_expect(w, ",") || !expect_slot(w, &value) || !words_expect(w, ")"))
    return false;
  if (value != to)
    return build_refuse(w->l, "it yields into the register of its operand");
  *ret = build_update(w->l, op, address, value, how_of(ORD_SC), how_of(ORD_SC));
  return true;
}

// cmpxchg_64(r + 0, r0, r): a failed one is a load.
static bool read_compare(struct words *w, unsigned to, unsigned *ret) {
  unsigned address = 0, expected = 0, value = 0, ok;
  if (!words_expect(w, "(") || !read_sum(w, &address) ||
      !words_expect(w, ",") || !expect_slot(w, &expected) ||
      !words_expect(w, ",") || !expect_slot(w, &value) || !words_expect(w, ")"))
    return false;
  if (expected != to)
    return build_refuse(w->l, "it yields into the register that it compares");
  struct access_how read = how_of(ORD_SC);
  read.order_fail = ORD_RLX;
  *ret = build_cas(w->l, address, expected, value, read, how_of(ORD_SC), &ok);
  return true;
}

static bool read_acquire(struct words *w, unsigned *ret) {
  unsigned address = 0;
  if (!words_expect(w, "(") || !read_address(w, &address) ||
      !words_expect(w, ")"))
    return false;
  *ret = build_load(w->l, address, how_of(ORD_ACQ));
  return true;
}

static bool read_result(struct words *w, unsigned to, unsigned *ret) {
  static const struct {
    const char *name;
    enum op op;
  } updates[] = {{"atomic_fetch_add", OP_add}, {"atomic_fetch_and", OP_and},
                 {"atomic_fetch_or", OP_or},   {"atomic_fetch_xor", OP_xor},
                 {"xchg_64", OP_mov},          {"xchg_32_32", OP_mov},
                 {"xchg32_32", OP_mov}};
  unsigned address = 0;
  if (words_accept(w, "*")) {
    if (!read_address(w, &address))
      return false;
    *ret = build_load(w->l, address, how_of(ORD_RLX));
    return true;
  }
  if (words_accept(w, "load_acquire"))
    return read_acquire(w, ret);
  for (unsigned i = 0; i < LENGTH(updates); i++)
    if (words_accept(w, updates[i].name))
      return read_update(w, updates[i].op, to, ret);
  if (words_accept(w, "cmpxchg_64") || words_accept(w, "cmpxchg_32_32") ||
      words_accept(w, "cmpxchg32_32"))
    return read_compare(w, to, ret);
  return read_value(w, ret);
}

// r = result, r = -r, r += value
static bool lower_assignment(struct words *w, unsigned to) {
  enum op op = OP_mov;
  unsigned value = 0;
  if (!words_accept(w, "=")) {
    if (!accept_operation(w, &op))
      return build_refuse(w->l, "an assignment expected: =, +=, -=, *=, &=, "
                                "|=, ^=, <<=, >>= or s>>=");
    if (!read_value(w, &value))
      return false;
    if (op == OP_shl || op == OP_lshr || op == OP_ashr)
      value = build_binary(w->l, OP_and, value, build_const(w->l, 63), 64);
    value = build_binary(w->l, op, to, value, 64);
  } else if (w->end - w->at == 2 && scan_is(w->at, "-") &&
             w->at[1].kind == TOK_NAME) {
    w->at++;
    if (!expect_slot(w, &value))
      return false;
    value = asm_negate(w->l, value);
  } else if (!read_result(w, to, &value)) {
    return false;
  }
  build_move(w->l, to, value);
  return true;
}

bool lower_bpf(struct build *l, const struct token *at,
               const struct token *end) {
  static const struct {
    const char *name;
    bool (*lower)(struct words *w);
  } insns[] = {
      {"*", lower_store},   {"store_release", lower_release},
      {"if", lower_if},     {"goto", lower_goto},
      {"exit", lower_exit}, {"lock", lower_lock},
  };
  struct words w = {.l = l, .at = at, .end = end};
  uint32_t name;
  if (words_register(&w, &name))
    return lower_assignment(&w, build_register(l, name)) && words_end(&w);
  for (unsigned i = 0; i < LENGTH(insns); i++)
    if (words_accept(&w, insns[i].name))
      return insns[i].lower(&w) && words_end(&w);
  return build_refuse(l, "unsupported instruction '%.*s' of BPF", (int)at->len,
                      at->at);
}
