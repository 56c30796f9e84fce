// SPDX-License-Identifier: MIT
// AArch64 instructions of inline assembly. A load-exclusive and its
// store-exclusive are one update, which does not fail: as a compare-exchange if
// the only way out between them is that the value is another one than wanted.
// So they must be a loop, as one that is not tried again may fail for no
// reason; and a round that fails must leave nothing behind that the next one
// could see: no access, and no register that it changes before it is set.
#include "front/lower/asm_arm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// -- operands

bool arm_place(struct arm *m, const char *word, struct asm_place *ret) {
  struct assembly *a = m->a;
  if (*word == '#') {
    char *end;
    *ret = (struct asm_place){.kind = IS_NUMBER,
                              .number = (uint64_t)strtoll(word + 1, &end, 0)};
    return *end == 0;
  }
  if (*word == '[') { // [base], [base,#8]
    char inner[40] = "", *end = NULL;
    size_t n = strcspn(word + 1, "],");
    memcpy(inner, word + 1, n);
    const char *rest = word + 1 + n;
    bool has_offset = strncmp(rest, ",#", 2) == 0;
    uint64_t offset = has_offset ? (uint64_t)strtoll(rest + 2, &end, 0) : 0;
    struct asm_place base;
    if (strcmp(has_offset ? end : rest, "]") != 0 ||
        !arm_place(m, inner, &base) || base.kind != IN_CELL)
      return false;
    *ret = (struct asm_place){
        .kind = IN_MEMORY,
        .address = lower_offset(a->l, a->cells[base.cell].now, offset)};
    return true;
  }
  if (asm_operand_place(a, word, ret))
    return true;
  unsigned number, width;
  if (!isa_arm_register(word, &number, &width))
    return false;
  if (number == ISA_ZERO_REGISTER) {
    *ret = (struct asm_place){.kind = IS_NUMBER, .width = width};
    return true;
  }
  char name[8];
  snprintf(name, sizeof name, "x%u", number);
  *ret = (struct asm_place){
      .kind = IN_CELL, .cell = asm_cell(a, name), .width = width};
  return true;
}

void arm_put(struct arm *m, const struct asm_place *to, vreg value,
             unsigned width) {
  if (to->kind != IS_NUMBER) // the zero register swallows it
    asm_write(m->a, to, value, width, ORD_RLX, /*merges=*/false);
}

// -- memory

// Loads that extend what they read are not understood.
static bool access_of(const char *op, struct isa_access *ret) {
  return isa_arm_access(op, ret) && !ret->is_signed;
}

// As C11 has it: ldar and stlr are sc, but for exclusive ones.
static enum order order_of(const struct isa_access *a) {
  bool is_sc = !a->is_exclusive;
  return a->order == ISA_ACQUIRE   ? (is_sc ? ORD_SC : ORD_ACQ)
         : a->order == ISA_RELEASE ? (is_sc ? ORD_SC : ORD_REL)
         : a->order == ISA_PLAIN   ? ORD_RLX
                                   : ORD_ACQ;
}

static bool do_plain(struct arm *m, const struct isa_access *access,
                     const struct asm_statement *s) {
  struct asm_place reg, at;
  if (s->nwords != 2 || !arm_place(m, s->words[0], &reg) ||
      !arm_place(m, s->words[1], &at) || at.kind != IN_MEMORY)
    return false;
  unsigned width = access->width ? access->width : reg.width;
  enum order order = order_of(access);
  if (!width)
    return false;
  if (access->is_load)
    arm_put(m, &reg, asm_read(m->a, &at, width, order), width);
  else
    asm_write(m->a, &at, asm_read(m->a, &reg, width, ORD_RLX), width, order,
              /*merges=*/false);
  return true;
}

// -- exclusive pairs

enum order arm_pair_order(enum order load, enum order store) {
  if (load == ORD_ACQ && store == ORD_REL)
    return ORD_SC;
  return load == ORD_ACQ ? ORD_ACQ : store;
}

// b, b.ne, bne; not bic
static bool is_branch(const char *op) {
  return op[0] == 'b' && strcmp(op, "bic") != 0 &&
         (!op[1] || op[1] == '.' || strlen(op) == 3);
}

bool arm_leaves(const struct asm_statement *s) {
  return is_branch(s->op) || strncmp(s->op, "cb", 2) == 0;
}

// Statements, n of them, that leave when the register `loaded` does not hold a
// value:
// cmp loaded, value; b.ne    or    eor t, loaded, value; cbnz t    or
// cbnz loaded
// Yields the word of the value, or NULL.
static const char *compared_with(const struct asm_statement *s, unsigned n,
                                 const char *loaded) {
  if (n == 1 && strcmp(s[0].op, "cbnz") == 0 && s[0].nwords == 2 &&
      strcmp(s[0].words[0], loaded) == 0)
    return "#0";
  if (n != 2)
    return NULL;
  if (strcmp(s[0].op, "cmp") == 0 && s[0].nwords == 2 &&
      (strcmp(s[1].op, "b.ne") == 0 || strcmp(s[1].op, "bne") == 0) &&
      strcmp(s[0].words[0], loaded) == 0)
    return s[0].words[1];
  if (strcmp(s[0].op, "eor") == 0 && s[0].nwords == 3 &&
      strcmp(s[1].op, "cbnz") == 0 &&
      strcmp(s[0].words[0], s[1].words[0]) == 0 &&
      strcmp(s[0].words[1], loaded) == 0)
    return s[0].words[2];
  return NULL;
}

// The exclusive store that belongs to the load at `i`, or 0.
static unsigned find_store(const struct assembly *a, unsigned i) {
  for (unsigned k = i + 1; k < a->nstatements; k++) {
    struct isa_access access;
    if (access_of(a->statements[k].op, &access))
      return access.is_exclusive && !access.is_load ? k : 0;
  }
  return 0;
}

// The cells of the registers that a word has, as bits.
static uint64_t cells_of(struct arm *m, const char *word) {
  char base[40];
  if (*word == '[') {
    snprintf(base, sizeof base, "%.*s", (int)strcspn(word + 1, "],"), word + 1);
    word = base;
  }
  struct asm_place p;
  return arm_place(m, word, &p) && p.kind == IN_CELL ? UINT64_C(1) << p.cell
                                                     : 0;
}

// How many of its words, which come first, a statement writes.
static unsigned words_written(const struct asm_statement *s) {
  struct isa_access access;
  bool is_store = access_of(s->op, &access) && !access.is_load;
  if (arm_is_pair(s->op, /*is_load=*/true))
    return 2;
  return !arm_leaves(s) && !strstr(s->op, "cmp") &&
         (!is_store || access.is_exclusive);
}

static bool is_access(const char *op) {
  struct isa_access access;
  struct isa_update update;
  return access_of(op, &access) || isa_arm_update(op, &update) ||
         strncmp(op, "casp", 4) == 0 || arm_is_pair(op, true) ||
         arm_is_pair(op, false);
}

enum { FLAGS_CELL = 63 };

// Do all rounds from statement `first` to the store compute the same, but for
// what the load at `i` reads? Then those that fail can be left out.
static bool begins_anew(struct arm *m, unsigned first, unsigned i,
                        unsigned store) {
  const struct assembly *a = m->a;
  uint64_t set = 0, before = 0; // written; read before that
  for (unsigned k = first; k <= store; k++) {
    const struct asm_statement *s = &a->statements[k];
    bool is_compare = strstr(s->op, "cmp") != NULL;
    bool asks =
        strncmp(s->op, "cset", 4) == 0 || strncmp(s->op, "ccmp", 4) == 0;
    unsigned written = words_written(s);
    uint64_t sets = is_compare ? UINT64_C(1) << FLAGS_CELL : 0;
    uint64_t reads = asks ? UINT64_C(1) << FLAGS_CELL : 0;
    for (unsigned w = 0; w < s->nwords; w++)
      *(w < written ? &sets : &reads) |= cells_of(m, s->words[w]);
    if ((k != i && k != store && is_access(s->op)) ||
        (k < i && arm_leaves(s)) || (k > first && *s->label))
      return false;
    before |= reads & ~set;
    set |= sets;
  }
  return !(before & set);
}

// Does what follows the store, with its status, go back to the load at `i`, or
// to a statement before it?
static bool goes_back(const struct assembly *a, unsigned i, unsigned store,
                      unsigned *target) {
  unsigned k = store + 1;
  const char *status = a->statements[store].words[0];
  while (k < a->nstatements && strcmp(a->statements[k].op, "cmp") == 0)
    k++;
  if (k == a->nstatements || !arm_leaves(&a->statements[k]))
    return false;
  const struct asm_statement *s = &a->statements[k];
  const struct asm_statement *asks = k == store + 1 ? s : &a->statements[k - 1];
  return strcmp(asks->words[0], status) == 0 &&
         (strcmp(s->op, "cbnz") == 0 || strcmp(s->op, "b.ne") == 0 ||
          strcmp(s->op, "bne") == 0) &&
         asm_find_label(a, k, s->words[s->nwords - 1], target) && *target <= i;
}

bool arm_is_loop(struct arm *m, unsigned i, unsigned store) {
  const struct asm_statement *s = m->a->statements;
  unsigned first;
  if (!goes_back(m->a, i, store, &first))
    return asm_fail(m->a, "a store-exclusive that is not tried again");
  if (strcmp(s[i].words[s[i].nwords - 1],
             s[store].words[s[store].nwords - 1]) != 0)
    return asm_fail(m->a, "a store-exclusive to another place");
  return begins_anew(m, first, i, store) ||
         asm_fail(m->a,
                  "a failed store-exclusive that leaves something behind");
}

// Does no statement from the load on set that register?
static bool is_kept(struct arm *m, unsigned i, unsigned end, const char *word) {
  uint64_t cell = cells_of(m, word), set = 0;
  for (unsigned k = i; k < end; k++)
    for (unsigned w = 0; w < words_written(&m->a->statements[k]); w++)
      set |= cells_of(m, m->a->statements[k].words[w]);
  return !(cell & set);
}

static bool load_exclusive(struct arm *m, unsigned i) {
  struct assembly *a = m->a;
  const struct asm_statement *s = &a->statements[i];
  unsigned store = find_store(a, i), exits = 0;
  struct asm_place reg, at, value, wanted;
  if (!store || m->is_exclusive || s->nwords != 2 ||
      a->statements[store].nwords != 3 || !arm_place(m, s->words[0], &reg) ||
      !arm_place(m, s->words[1], &at) || at.kind != IN_MEMORY ||
      reg.kind != IN_CELL)
    return false;
  struct isa_access load, end_of_pair;
  access_of(s->op, &load);
  access_of(a->statements[store].op, &end_of_pair);
  unsigned width = load.width ? load.width : reg.width;
  if (!width)
    return false;
  if (!arm_is_loop(m, i, store))
    return false;
  for (unsigned k = i + 1; k < store; k++)
    exits += arm_leaves(&a->statements[k]);
  m->order = arm_pair_order(order_of(&load), order_of(&end_of_pair));
  m->is_exclusive = true;
  m->is_stored = exits > 0;
  struct imm_access how = asm_access(a, &at, width, m->order);
  how.how = HOW_PAIR;
  vreg old = code_reg(a->l->c);
  if (!exits) {
    lower_emit(a->l, OP_rmw_load, old, at.address, 0, imm_access(how));
  } else {
    const char *word = compared_with(s + 1, store - i - 1, s->words[0]);
    const struct asm_statement *end = &a->statements[store];
    if (!word || !arm_place(m, word, &value) || end->nwords != 3 ||
        !arm_place(m, end->words[1], &wanted) || !is_kept(m, i, store, word) ||
        !is_kept(m, i, store, end->words[1]))
      return false;
    how.order_fail = (uint8_t)order_of(&load);
    lower_cas(a->l, old, code_reg(a->l->c), at.address,
              asm_read(a, &value, width, ORD_RLX),
              asm_read(a, &wanted, width, ORD_RLX), how);
  }
  arm_put(m, &reg, old, width);
  return true;
}

static bool store_exclusive(struct arm *m, const struct asm_statement *s) {
  struct assembly *a = m->a;
  struct asm_place status, reg, at;
  if (!m->is_exclusive || s->nwords != 3 ||
      !arm_place(m, s->words[0], &status) || !arm_place(m, s->words[1], &reg) ||
      !arm_place(m, s->words[2], &at) || at.kind != IN_MEMORY)
    return false;
  struct isa_access access;
  access_of(s->op, &access);
  unsigned width = access.width ? access.width : reg.width;
  if (!width)
    return false;
  if (!m->is_stored) {
    vreg value = asm_read(a, &reg, width, ORD_RLX);
    struct imm_access how = asm_access(a, &at, width, m->order);
    how.how = HOW_PAIR;
    lower_emit(a->l, OP_rmw_store, at.address, value, 0, imm_access(how));
  }
  m->is_exclusive = false;
  arm_put(m, &status, lower_number(a->l, 0), 32);
  return true;
}

// -- the atomic instructions of ARMv8.1

static LLVMAtomicRMWBinOp rmw_of(enum op op) {
  static const struct {
    enum op op;
    LLVMAtomicRMWBinOp rmw;
  } rows[] = {
      {OP_mov, LLVMAtomicRMWBinOpXchg}, {OP_add, LLVMAtomicRMWBinOpAdd},
      {OP_and, LLVMAtomicRMWBinOpAnd},  {OP_or, LLVMAtomicRMWBinOpOr},
      {OP_xor, LLVMAtomicRMWBinOpXor},  {OP_sle, LLVMAtomicRMWBinOpMax},
      {OP_slt, LLVMAtomicRMWBinOpMin},  {OP_ule, LLVMAtomicRMWBinOpUMax},
      {OP_ult, LLVMAtomicRMWBinOpUMin},
  };
  unsigned i = 0;
  while (rows[i].op != op) {
    i++;
    check(i < LENGTH(rows));
  }
  return rows[i].rmw;
}

enum order arm_order(bool acquires, bool releases) {
  return acquires && releases ? ORD_SC
         : acquires           ? ORD_ACQ
         : releases           ? ORD_REL
                              : ORD_RLX;
}

static bool do_swap_or_update(struct arm *m, const struct asm_statement *s,
                              const struct isa_update *u) {
  struct assembly *a = m->a;
  struct asm_place from, to = {.kind = IS_NUMBER}, at;
  bool yields = !u->is_store;
  if (s->nwords != 2u + yields || !arm_place(m, s->words[0], &from) ||
      (yields && !arm_place(m, s->words[1], &to)) ||
      !arm_place(m, s->words[1 + yields], &at) || at.kind != IN_MEMORY)
    return false;
  unsigned width = u->width ? u->width : from.width;
  if (!width)
    return false;
  vreg arg = asm_read(a, &from, width, ORD_RLX), old = code_reg(a->l->c);
  if (u->is_complement)
    arg = lower_op(a->l, OP_xor, arg,
                   lower_number(a->l, UINT64_MAX >> (64 - width)), 0);
  bool is_noret = to.kind == IS_NUMBER; // then it acquires nothing
  struct imm_access how = asm_access(
      a, &at, width, arm_order(u->acquires && !is_noret, u->releases));
  how.how = is_noret ? HOW_NORET : 0;
  lower_rmw(a->l, rmw_of(u->op), old, at.address, arg, how);
  arm_put(m, &to, old, width);
  return true;
}

// cas expected, wanted, [at]: the first register gets what was there.
static bool do_cas(struct arm *m, const struct asm_statement *s,
                   const struct isa_update *u) {
  struct assembly *a = m->a;
  struct asm_place expected, wanted, at;
  if (s->nwords != 3 || !arm_place(m, s->words[0], &expected) ||
      !arm_place(m, s->words[1], &wanted) || !arm_place(m, s->words[2], &at) ||
      at.kind != IN_MEMORY)
    return false;
  unsigned width = u->width ? u->width : expected.width;
  if (!width)
    return false;
  bool is_noret = expected.kind == IS_NUMBER; // then it acquires nothing
  bool acquires = u->acquires && !is_noret;
  struct imm_access how =
      asm_access(a, &at, width, arm_order(acquires, u->releases));
  how.order_fail = acquires ? ORD_ACQ : ORD_RLX;
  how.how = is_noret ? HOW_PICK | HOW_NORET : HOW_PICK;
  vreg old = code_reg(a->l->c);
  lower_cas(a->l, old, code_reg(a->l->c), at.address,
            asm_read(a, &expected, width, ORD_RLX),
            asm_read(a, &wanted, width, ORD_RLX), how);
  arm_put(m, &expected, old, width);
  return true;
}

static bool do_atomic(struct arm *m, const struct asm_statement *s) {
  struct isa_update u;
  if (strncmp(s->op, "casp", 4) == 0)
    return arm_casp(m, s);
  if (!isa_arm_update(s->op, &u))
    return false;
  return u.op == OP_cas_load ? do_cas(m, s, &u) : do_swap_or_update(m, s, &u);
}

// -- arithmetic

static bool do_compute(struct arm *m, const struct asm_statement *s) {
  static const struct {
    const char *name;
    enum op op;
    bool negates; // the last operand: bic, mvn
  } rows[] = {{"add", OP_add, false}, {"sub", OP_sub, false},
              {"and", OP_and, false}, {"orr", OP_or, false},
              {"eor", OP_xor, false}, {"bic", OP_and, true},
              {"mov", OP_mov, false}, {"mvn", OP_mov, true}};
  struct assembly *a = m->a;
  struct lowering *l = a->l;
  struct asm_place to, x, y;
  for (size_t i = 0; i < LENGTH(rows); i++) {
    if (strcmp(rows[i].name, s->op) != 0)
      continue;
    bool is_move = rows[i].op == OP_mov;
    if (s->nwords != (is_move ? 2 : 3) || !arm_place(m, s->words[0], &to) ||
        !arm_place(m, s->words[s->nwords - 1], &y) ||
        (!is_move && !arm_place(m, s->words[1], &x)))
      return false;
    if (to.width != 32 && to.width != 64)
      return false;
    vreg last = asm_read(a, &y, to.width, ORD_RLX);
    if (rows[i].negates)
      last = lower_op(l, OP_xor, last,
                      lower_number(l, UINT64_MAX >> (64 - to.width)), 0);
    bool has_width = rows[i].op == OP_add || rows[i].op == OP_sub;
    vreg value =
        is_move ? last
                : lower_op(l, rows[i].op, asm_read(a, &x, to.width, ORD_RLX),
                           last, has_width ? to.width : 0);
    arm_put(m, &to, value, to.width);
    return true;
  }
  return false;
}

// The machine's counter, which stands still as x86-64's does here.
static bool do_counter(struct arm *m, const struct asm_statement *s) {
  struct asm_place to;
  if (s->nwords != 2 || strcmp(s->words[1], "cntvct_el0") != 0 ||
      !arm_place(m, s->words[0], &to))
    return false;
  arm_put(m, &to, lower_number(m->a->l, 0), 64);
  return true;
}

static bool do_cmp(struct arm *m, const struct asm_statement *s) {
  struct assembly *a = m->a;
  struct asm_place x, y;
  if (s->nwords != 2 || !arm_place(m, s->words[0], &x) ||
      !arm_place(m, s->words[1], &y) || (x.width != 32 && x.width != 64))
    return false;
  vreg left = asm_read(a, &x, x.width, ORD_RLX),
       right = asm_read(a, &y, x.width, ORD_RLX);
  asm_forget_flags(a);
  a->flags[FLAG_ZERO] = lower_op(a->l, OP_eq, left, right, x.width);
  a->flags[FLAG_LESS] = lower_op(a->l, OP_slt, left, right, x.width);
  a->flags[FLAG_BELOW] = lower_op(a->l, OP_ult, left, right, x.width);
  return true;
}

// ccmp x, y, #0, eq: if the last comparison was equal, this one as well;
// otherwise it counts as other.
static bool do_ccmp(struct arm *m, const struct asm_statement *s) {
  struct assembly *a = m->a;
  struct asm_place x, y;
  if (s->nwords != 4 || strcmp(s->words[2], "#0") != 0 ||
      strcmp(s->words[3], "eq") != 0 || !arm_place(m, s->words[0], &x) ||
      !arm_place(m, s->words[1], &y) || (x.width != 32 && x.width != 64))
    return false;
  vreg before = asm_flag(a, "eq");
  vreg now = lower_op(a->l, OP_eq, asm_read(a, &x, x.width, ORD_RLX),
                      asm_read(a, &y, x.width, ORD_RLX), x.width);
  asm_forget_flags(a);
  a->flags[FLAG_ZERO] = lower_op(a->l, OP_and, before, now, 0);
  return true;
}

static bool do_cset(struct arm *m, const struct asm_statement *s) {
  struct asm_place to;
  if (s->nwords != 2 || !arm_place(m, s->words[0], &to))
    return false;
  vreg one = lower_number(m->a->l, 1), zero = lower_number(m->a->l, 0);
  arm_put(m, &to,
          lower_op(m->a->l, OP_pick, asm_flag(m->a, s->words[1]), one, zero),
          to.width);
  return true;
}

// -- branches

static bool do_branch(struct arm *m, unsigned i) {
  struct assembly *a = m->a;
  const struct asm_statement *s = &a->statements[i];
  vreg condition = VREG_NONE;
  if (!s->nwords)
    return false;
  if (strcmp(s->op, "b") == 0) {
    if (s->nwords != 1)
      return false;
  } else if (strcmp(s->op, "cbz") == 0 || strcmp(s->op, "cbnz") == 0) {
    struct asm_place p;
    if (s->nwords != 2 || !arm_place(m, s->words[0], &p) ||
        (p.width != 32 && p.width != 64))
      return false;
    condition = lower_op(a->l, s->op[2] == 'z' ? OP_eq : OP_ne,
                         asm_read(a, &p, p.width, ORD_RLX),
                         lower_number(a->l, 0), p.width);
  } else {
    condition = asm_flag(a, s->op + 1 + (s->op[1] == '.'));
  }
  return asm_go_to(a, i, s->words[s->nwords - 1], condition);
}

// -- all

static bool do_statement(struct arm *m, unsigned i) {
  struct assembly *a = m->a;
  const struct asm_statement *s = &a->statements[i];
  if (!*s->op || asm_barrier(a->l, s))
    return true;
  struct isa_access access;
  if (access_of(s->op, &access))
    return !access.is_exclusive ? do_plain(m, &access, s)
           : access.is_load     ? load_exclusive(m, i)
                                : store_exclusive(m, s);
  if (arm_is_pair(s->op, /*is_load=*/true))
    return arm_load_pair(m, i);
  if (arm_is_pair(s->op, /*is_load=*/false))
    return arm_store_pair(m, s);
  if (arm_leaves(s))
    return do_branch(m, i);
  return strcmp(s->op, "cmp") == 0    ? do_cmp(m, s)
         : strcmp(s->op, "ccmp") == 0 ? do_ccmp(m, s)
         : strcmp(s->op, "cset") == 0 ? do_cset(m, s)
         : strcmp(s->op, "mrs") == 0  ? do_counter(m, s)
                                      : do_compute(m, s) || do_atomic(m, s);
}

bool asm_arm(struct assembly *a) {
  struct arm m = {.a = a};
  // All registers first: a loop must not make one afresh in each round.
  struct asm_place ignored;
  for (unsigned i = 0; i < a->nstatements; i++) {
    for (unsigned k = 0; k < a->statements[i].nwords; k++)
      arm_place(&m, a->statements[i].words[k], &ignored);
  }
  for (unsigned i = 0; i < a->nstatements; i++) {
    asm_begin_statement(a, i);
    if (!do_statement(&m, i))
      return asm_fail(a, a->statements[i].op);
    asm_end_statement(a);
  }
  return !m.is_exclusive || asm_fail(a, "a load-exclusive without its store");
}
