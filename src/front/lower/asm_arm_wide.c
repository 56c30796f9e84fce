// SPDX-License-Identifier: MIT
// Sixteen bytes at once: loops of ldxp and stxp, which are compare-exchanges if
// the only way out between them is that a half is another one than wanted, and
// casp.
#include "front/lower/asm_arm.h"

#include <string.h>

enum { LOW, HIGH };

bool arm_is_pair(const char *op, bool is_load) {
  static const char *const loads[] = {"ldxp", "ldaxp"}, *const stores[] = {
                                                            "stxp", "stlxp"};
  const char *const *names = is_load ? loads : stores;
  return strcmp(op, names[0]) == 0 || strcmp(op, names[1]) == 0;
}

static bool is_op(const struct asm_statement *s, const char *op,
                  unsigned words) {
  return strcmp(s->op, op) == 0 && s->nwords == words;
}

static bool is_same(const char *a, const char *b) {
  return strcmp(a, b) == 0;
}

// Do two words name one register, by whatever width? $0 and ${0:w}, x1 and w1
static bool is_one_register(const char *a, const char *b) {
  bool are_operands = *a == '$' && *b == '$';
  bool are_names = strchr("wx", *a) && strchr("wx", *b);
  a += are_operands ? 1 + (a[1] == '{') : are_names;
  b += are_operands ? 1 + (b[1] == '{') : are_names;
  size_t n = strcspn(a, ":}");
  return (are_operands || are_names) && n == strcspn(b, ":}") &&
         strncmp(a, b, n) == 0;
}

// What is between the load and the store, up to the way out.
struct comparison {
  const char *expected[2]; // what the halves are compared with
  const char *differs[2];  // by eor: the registers that are 0 if they are equal
  const char *both;        // the one that is 0 if both are
  bool by_flags[2];        // by cmp and ccmp
};

// Half k is compared by s, if it is.
static void compare_half(const struct asm_statement *s, const char *loaded,
                         unsigned k, struct comparison *c) {
  bool is_flags = is_op(s, "cmp", 2) ||
                  (is_op(s, "ccmp", 4) && is_same(s->words[2], "#0") &&
                   is_same(s->words[3], "eq") && c->by_flags[!k]);
  if (is_flags && is_same(s->words[0], loaded)) {
    c->expected[k] = s->words[1];
    c->by_flags[k] = true;
    c->by_flags[!k] &= is_op(s, "ccmp", 4); // cmp begins anew
  } else if (is_op(s, "eor", 3) && is_same(s->words[1], loaded)) {
    c->expected[k] = s->words[2];
    c->differs[k] = s->words[0];
  }
}

// s sets its first register: nothing is known of that any more.
static void overwrite(const struct asm_statement *s, struct comparison *c) {
  for (unsigned k = LOW; k <= HIGH; k++)
    if (c->differs[k] && is_one_register(s->words[0], c->differs[k]))
      c->differs[k] = NULL;
  if (c->both && is_one_register(s->words[0], c->both))
    c->both = NULL;
}

// The statements between a load of two halves and its store: is the one way out
// that a half is another one than expected?
static bool compare_halves(const struct assembly *a, unsigned i, unsigned end,
                           struct comparison *c) {
  const char *loaded[2] = {a->statements[i].words[LOW],
                           a->statements[i].words[HIGH]};
  *c = (struct comparison){0};
  for (unsigned k = i + 1; k < end; k++) {
    const struct asm_statement *s = &a->statements[k];
    bool is_compare = is_op(s, "cmp", 2) || is_op(s, "ccmp", 4);
    if (arm_leaves(s)) {
      bool by_flags = c->by_flags[LOW] && c->by_flags[HIGH] &&
                      (is_same(s->op, "b.ne") || is_same(s->op, "bne"));
      bool by_register =
          c->both && is_op(s, "cbnz", 2) && is_same(s->words[0], c->both);
      for (k++; k < end; k++)
        if (arm_leaves(&a->statements[k]))
          return false;
      return by_flags || by_register;
    }
    const char *x = c->differs[LOW], *y = c->differs[HIGH];
    bool is_both = is_op(s, "orr", 3) && x && y &&
                   ((is_same(s->words[1], x) && is_same(s->words[2], y)) ||
                    (is_same(s->words[1], y) && is_same(s->words[2], x)));
    if (!is_compare)
      overwrite(s, c);
    if (is_both)
      c->both = s->words[0];
    for (unsigned h = LOW; h <= HIGH; h++) {
      if (loaded[h])
        compare_half(s, loaded[h], h, c);
      if (loaded[h] && !is_compare && is_one_register(s->words[0], loaded[h]))
        loaded[h] = NULL; // it holds something else now
    }
  }
  return false;
}

// Does no statement from the load on set that register?
static bool is_kept(const struct assembly *a, unsigned i, unsigned end,
                    const char *word) {
  if (is_one_register(a->statements[i].words[HIGH], word))
    return false;
  for (unsigned k = i; k < end; k++)
    if (is_one_register(a->statements[k].words[0], word) &&
        !arm_leaves(&a->statements[k]) && !strstr(a->statements[k].op, "cmp"))
      return false;
  return true;
}

static vreg read_pair(struct arm *m, const char *low, const char *high) {
  struct asm_place p[2];
  if (!arm_place(m, low, &p[LOW]) || !arm_place(m, high, &p[HIGH]) ||
      p[LOW].width == 32 || p[HIGH].width == 32)
    return VREG_NONE;
  vreg pair = code_regs(m->a->l->c, 2);
  for (unsigned k = LOW; k <= HIGH; k++)
    lower_move(m->a->l, pair + k, asm_read(m->a, &p[k], 64, ORD_RLX), 1);
  return pair;
}

static bool put_pair(struct arm *m, const char *low, const char *high,
                     vreg pair) {
  struct asm_place p[2];
  if (!arm_place(m, low, &p[LOW]) || !arm_place(m, high, &p[HIGH]))
    return false;
  arm_put(m, &p[LOW], pair, 64);
  arm_put(m, &p[HIGH], pair + 1, 64);
  return true;
}

bool arm_load_pair(struct arm *m, unsigned i) {
  struct assembly *a = m->a;
  const struct asm_statement *s = &a->statements[i], *end;
  struct asm_place at;
  unsigned store = i + 1;
  while (store < a->nstatements && !arm_is_pair(a->statements[store].op, false))
    store++;
  if (store == a->nstatements || m->is_exclusive || s->nwords != 3 ||
      !arm_place(m, s->words[2], &at) || at.kind != IN_MEMORY)
    return false;
  end = &a->statements[store];
  if (end->nwords != 4 || !arm_is_loop(m, i, store))
    return false;
  struct comparison c;
  if (!compare_halves(a, i, store, &c))
    return false;
  for (unsigned k = LOW; k <= HIGH; k++)
    if (!is_kept(a, i, store, c.expected[k]) ||
        !is_kept(a, i, store, end->words[1 + k]))
      return false;
  vreg from = read_pair(m, c.expected[LOW], c.expected[HIGH]);
  vreg to = read_pair(m, end->words[1], end->words[2]);
  if (from == VREG_NONE || to == VREG_NONE)
    return false;
  enum order load = s->op[2] == 'a' ? ORD_ACQ : ORD_RLX;
  struct imm_access how = asm_access(
      a, &at, 128, arm_pair_order(load, end->op[2] == 'l' ? ORD_REL : ORD_RLX));
  how.order_fail = (uint8_t)load;
  how.how = HOW_PAIR;
  vreg old = code_regs(a->l->c, 2);
  lower_cas(a->l, old, code_reg(a->l->c), at.address, from, to, how);
  m->is_exclusive = true;
  return put_pair(m, s->words[0], s->words[1], old);
}

// Done with the load already.
bool arm_store_pair(struct arm *m, const struct asm_statement *s) {
  struct asm_place status;
  if (!m->is_exclusive || !arm_place(m, s->words[0], &status))
    return false;
  m->is_exclusive = false;
  arm_put(m, &status, lower_number(m->a->l, 0), 32);
  return true;
}

// casp x0, x1, x2, x3, [at]
bool arm_casp(struct arm *m, const struct asm_statement *s) {
  struct assembly *a = m->a;
  struct asm_place at;
  bool acquires, releases;
  if (*isa_arm_letters(s->op + 4, &acquires, &releases) || s->nwords != 5 ||
      !arm_place(m, s->words[4], &at) || at.kind != IN_MEMORY)
    return false;
  vreg expected = read_pair(m, s->words[0], s->words[1]);
  vreg wanted = read_pair(m, s->words[2], s->words[3]);
  if (expected == VREG_NONE || wanted == VREG_NONE)
    return false;
  struct imm_access how =
      asm_access(a, &at, 128, arm_order(acquires, releases));
  how.order_fail = acquires ? ORD_ACQ : ORD_RLX;
  how.how = HOW_PICK;
  vreg old = code_regs(a->l->c, 2);
  lower_cas(a->l, old, code_reg(a->l->c), at.address, expected, wanted, how);
  return put_pair(m, s->words[0], s->words[1], old);
}
