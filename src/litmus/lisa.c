// SPDX-License-Identifier: MIT
// LISA, the little assembly in which tests of the Linux kernel were written
// before there were tests in C: accesses and fences with a word in brackets
// that says what they are to the kernel's model.
//
//   r[once] r1 x      w[release] x 1      f[mb]
//   mov r2 (neq r1 0) b[] r2 L            rmw[acquire] r1 1 x
//
// Operands stand side by side. An address is a location, a register, or the sum
// of two of these or a number.
#include "litmus/words.h"

#include <string.h>

// A register, a number, or the address of a location.
static bool read_atom(struct words *w, unsigned *ret) {
  uint32_t name;
  uint64_t number;
  if (words_register(w, &name)) {
    *ret = build_register(w->l, name);
    return true;
  }
  if (words_number(w, &number)) {
    *ret = build_const(w->l, number);
    return true;
  }
  if (!words_more(w) || w->at->kind != TOK_NAME)
    return build_refuse(w->l, "a register, a number or a location expected");
  uint32_t location = litmus_location(w->l->t, litmus_string(w->l->t, w->at++));
  *ret = build_const(w->l, build_address(w->l, location));
  return true;
}

static bool read_op(struct words *w, enum op *ret) {
  static const struct {
    const char *name;
    enum op op;
  } ops[] = {{"add", OP_add}, {"sub", OP_sub}, {"and", OP_and}, {"or", OP_or},
             {"xor", OP_xor}, {"eq", OP_eq},   {"neq", OP_ne}};
  for (unsigned i = 0; i < LENGTH(ops); i++)
    if (words_accept(w, ops[i].name)) {
      *ret = ops[i].op;
      return true;
    }
  return build_refuse(w->l, "an operation expected: add, sub, and, or, xor, eq "
                            "or neq");
}

// atom | '(' op atom atom ')'
static bool read_value(struct words *w, unsigned *ret) {
  enum op op = OP_add;
  unsigned a, b;
  if (!words_accept(w, "("))
    return read_atom(w, ret);
  if (!read_op(w, &op) || !read_atom(w, &a))
    return false;
  words_accept(w, ",");
  if (!read_atom(w, &b) || !words_expect(w, ")"))
    return false;
  *ret = build_binary(w->l, op, a, b, 64);
  return true;
}

// value ['+' atom]
static bool read_address(struct words *w, unsigned *ret) {
  unsigned more;
  if (!read_value(w, ret))
    return false;
  if (!words_accept(w, "+"))
    return true;
  if (!read_atom(w, &more))
    return false;
  *ret = build_binary(w->l, OP_add, *ret, more, 64);
  return true;
}

// -- what words in brackets mean

enum { KIND = 24 };

static bool read_kind(struct words *w, char kind[KIND]) {
  *kind = 0;
  if (!words_expect(w, "["))
    return false;
  struct str all = {0};
  while (words_more(w) && !scan_is(w->at, "]")) {
    str_add(&all, "%.*s", (int)w->at->len, w->at->at);
    w->at++;
  }
  bool fits = all.len < KIND;
  if (fits)
    memcpy(kind, str_text(&all), all.len + 1);
  str_done(&all);
  return fits ? words_expect(w, "]")
              : build_refuse(w->l, "an unknown annotation");
}

static bool is_kind(const char *kind, const char *name) {
  return strcmp(kind, name) == 0;
}

static bool unknown_kind(const struct words *w, const char *kind,
                         const char *of) {
  return build_refuse(w->l, "'%s' is no annotation of %s that Heddle knows",
                      kind, of);
}

static struct access_how how_of(enum order o) {
  return (struct access_how){.size = 8, .order = o};
}

static bool lower_read(struct words *w, const char *kind) {
  uint32_t to = 0;
  unsigned address;
  bool is_once = is_kind(kind, "once") || is_kind(kind, "deref") ||
                 is_kind(kind, "lderef") || is_kind(kind, "noreturn");
  if (!is_once && *kind && !is_kind(kind, "acquire"))
    return unknown_kind(w, kind, "a read");
  if (!words_expect_register(w, &to) || !read_address(w, &address))
    return false;
  enum order o = is_once ? ORD_RLX : *kind ? ORD_ACQ : ORD_NA;
  build_move(w->l, build_register(w->l, to),
             build_load(w->l, address, how_of(o)));
  return true;
}

static bool lower_write(struct words *w, const char *kind) {
  unsigned address, value;
  bool releases = is_kind(kind, "release") || is_kind(kind, "assign");
  if (!releases && *kind && !is_kind(kind, "once"))
    return unknown_kind(w, kind, "a write");
  if (!read_address(w, &address) || !read_value(w, &value))
    return false;
  build_store(w->l, address, value,
              how_of(releases ? ORD_REL
                     : *kind  ? ORD_RLX
                              : ORD_NA));
  return true;
}

static bool lower_fence(struct words *w, const char *kind) {
  static const struct {
    const char *name;
    enum fence_kind kind;
    enum order order;
  } fences[] = {
      {"mb", FENCE_MB, ORD_SC},
      {"rmb", FENCE_RMB, ORD_NA},
      {"wmb", FENCE_WMB, ORD_NA},
      {"lock", FENCE_RCU_LOCK, ORD_NA},
      {"rcu_read_lock", FENCE_RCU_LOCK, ORD_NA},
      {"rcu-lock", FENCE_RCU_LOCK, ORD_NA},
      {"unlock", FENCE_RCU_UNLOCK, ORD_NA},
      {"rcu_read_unlock", FENCE_RCU_UNLOCK, ORD_NA},
      {"rcu-unlock", FENCE_RCU_UNLOCK, ORD_NA},
      {"sync", FENCE_SYNC_RCU, ORD_SC},
      {"sync-rcu", FENCE_SYNC_RCU, ORD_SC},
      {"sync_rcu", FENCE_SYNC_RCU, ORD_SC},
  };
  // Dependencies order reads without it since Alpha is no exception any more.
  if (is_kind(kind, "rb_dep") || is_kind(kind, "rbdep"))
    return true;
  for (unsigned i = 0; i < LENGTH(fences); i++)
    if (is_kind(kind, fences[i].name)) {
      build_fence(w->l, fences[i].kind, fences[i].order);
      return true;
    }
  return unknown_kind(w, kind, "a fence");
}

// rmw[kind] reg value address: an exchange; or reg (op reg atom) address, where
// the first is what is read.
static bool lower_update(struct words *w, const char *kind) {
  static const struct {
    const char *name;
    enum order read, write;
  } kinds[] = {{"once", ORD_RLX, ORD_RLX},
               {"acquire", ORD_ACQ, ORD_RLX},
               {"release", ORD_RLX, ORD_REL},
               {"mb", ORD_SC, ORD_SC}};
  enum op op = OP_mov;
  uint32_t to = 0, first = 0;
  unsigned value, address, k = 0;
  while (k < 4 && !is_kind(kind, kinds[k].name))
    k++;
  if (k == 4)
    return unknown_kind(w, kind, "an update");
  if (!words_expect_register(w, &to))
    return false;
  if (words_accept(w, "(")) {
    if (!read_op(w, &op) || !words_expect_register(w, &first))
      return false;
    words_accept(w, ",");
    if (first != to || op == OP_eq || op == OP_ne)
      return build_refuse(w->l, "an update computes from what it reads, by "
                                "add, sub, and, or or xor");
    if (!read_atom(w, &value) || !words_expect(w, ")"))
      return false;
  } else if (!read_atom(w, &value)) {
    return false;
  }
  if (!read_address(w, &address))
    return false;
  build_move(w->l, build_register(w->l, to),
             build_update(w->l, op, address, value, how_of(kinds[k].read),
                          how_of(kinds[k].write)));
  return true;
}

// b[] [register] label: goes there if the register is not 0.
static bool lower_branch(struct words *w, const char *kind) {
  (void)kind;
  uint32_t name, label = 0;
  unsigned slot = 0;
  bool has_condition = words_register(w, &name);
  if (has_condition)
    slot = build_register(w->l, name);
  if (!words_label(w, &label))
    return false;
  uint32_t next = build_label(w->l, 0);
  if (has_condition)
    build_branch(w->l, slot, label, next);
  else
    build_jump(w->l, label);
  build_place(w->l, next);
  return true;
}

static bool lower_move(struct words *w) {
  uint32_t to = 0;
  unsigned value;
  if (!words_expect_register(w, &to) || !read_value(w, &value))
    return false;
  build_move(w->l, build_register(w->l, to), value);
  return true;
}

bool lower_lisa(struct build *l, const struct token *at,
                const struct token *end) {
  static const struct {
    const char *name;
    bool (*lower)(struct words *w, const char *kind);
  } insns[] = {{"r", lower_read},
               {"w", lower_write},
               {"f", lower_fence},
               {"rmw", lower_update},
               {"b", lower_branch}};
  struct words w = {.l = l, .at = at, .end = end};
  char kind[KIND];
  bool ok = false, is_known = words_accept(&w, "mov");
  if (is_known)
    ok = lower_move(&w);
  for (unsigned i = 0; !is_known && i < LENGTH(insns); i++)
    if (words_accept(&w, insns[i].name)) {
      is_known = true;
      ok = read_kind(&w, kind) && insns[i].lower(&w, kind);
    }
  if (!is_known)
    return build_refuse(l, "unsupported instruction '%.*s' of LISA",
                        (int)at->len, at->at);
  return ok && words_end(&w);
}
