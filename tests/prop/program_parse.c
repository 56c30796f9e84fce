// SPDX-License-Identifier: MIT
// Reads the notation of program.h: recursive descent, one function a rule.
// Locations and registers are numbered in the order in which they appear.
#include "program.h"

#include <ctype.h>
#include <string.h>

enum { NAME_SIZE = 8 };

struct parser {
  const char *at;
  struct program *p;
  struct diag *why;
  char locs[PROGRAM_LOCS][NAME_SIZE];
  char regs[PROGRAM_OPS][NAME_SIZE]; // of the current thread
  unsigned nregs, thread;
};

static bool fail(struct parser *s, const char *expected) {
  return diag_set(s->why, "", 0, "expected %s at '%.20s'", expected, s->at);
}

static void skip_space(struct parser *s) {
  while (isspace((unsigned char)*s->at))
    s->at++;
}

// Goes past `word` if it comes next.
static bool accept(struct parser *s, const char *word) {
  skip_space(s);
  size_t n = strlen(word);
  if (strncmp(s->at, word, n) != 0)
    return false;
  s->at += n;
  return true;
}

static bool expect(struct parser *s, const char *word) {
  return accept(s, word) || fail(s, word);
}

static bool parse_number(struct parser *s, uint8_t *ret) {
  skip_space(s);
  if (!isdigit((unsigned char)*s->at))
    return fail(s, "a number");
  unsigned n = 0;
  for (; isdigit((unsigned char)*s->at) && n < 200; s->at++)
    n = n * 10 + (unsigned)(*s->at - '0');
  *ret = (uint8_t)n;
  return n < 200 || fail(s, "a small number");
}

// name = letter (letter | digit)*
static bool parse_name(struct parser *s, char name[NAME_SIZE]) {
  skip_space(s);
  unsigned n = 0;
  while (isalpha((unsigned char)*s->at) ||
         (n && isdigit((unsigned char)*s->at))) {
    if (n + 1 == NAME_SIZE)
      return fail(s, "a short name");
    name[n++] = *s->at++;
  }
  name[n] = '\0';
  return n || fail(s, "a name");
}

static bool parse_location_name(struct parser *s, uint8_t *ret) {
  char name[NAME_SIZE];
  if (!parse_name(s, name))
    return false;
  unsigned i = 0;
  while (i < s->p->nlocs && strcmp(s->locs[i], name) != 0)
    i++;
  if (i == PROGRAM_LOCS)
    return fail(s, "fewer locations");
  if (i == s->p->nlocs) {
    strcpy(s->locs[i], name);
    s->p->nlocs++;
  }
  *ret = (uint8_t)i;
  return true;
}

// A register; a new one only if `is_new`.
static bool parse_register(struct parser *s, bool is_new, uint8_t *ret) {
  char name[NAME_SIZE];
  if (!parse_name(s, name))
    return false;
  unsigned i = 0;
  while (i < s->nregs && strcmp(s->regs[i], name) != 0)
    i++;
  if (i == s->nregs) {
    if (!is_new || i == PROGRAM_OPS)
      return fail(s, "a register that was set before");
    strcpy(s->regs[i], name);
    s->nregs++;
  }
  *ret = (uint8_t)i;
  return true;
}

// operand = number | register ["^" register] ["+" number]
//         | register "or" number | register "?" number
static bool parse_operand(struct parser *s, struct operand *ret) {
  *ret = (struct operand){.reg = NO_REGISTER};
  skip_space(s);
  if (isdigit((unsigned char)*s->at))
    return parse_number(s, &ret->plus);
  if (!parse_register(s, /*is_new=*/false, &ret->reg))
    return false;
  if (accept(s, "or ")) {
    ret->computation = COMPUTE_OR;
    return parse_number(s, &ret->plus);
  }
  if (accept(s, "?")) {
    ret->computation = COMPUTE_PICK;
    return parse_number(s, &ret->plus);
  }
  if (accept(s, "^")) {
    uint8_t again;
    ret->computation = COMPUTE_ZERO;
    if (!parse_register(s, /*is_new=*/false, &again))
      return false;
    if (again != ret->reg)
      return fail(s, "the same register on both sides of ^");
  }
  return !accept(s, "+") || parse_number(s, &ret->plus);
}

// location = name [["/" name] "[" operand "]"]
static bool parse_location(struct parser *s, struct action *a) {
  if (!parse_location_name(s, &a->loc))
    return false;
  a->other = a->loc;
  bool has_other = accept(s, "/");
  if (has_other && !parse_location_name(s, &a->other))
    return false;
  if (!has_other && !accept(s, "["))
    return true;
  if (has_other && !expect(s, "["))
    return false;
  if (!parse_operand(s, &a->index))
    return false;
  if (a->index.reg == NO_REGISTER)
    return fail(s, "an index with a register");
  return expect(s, "]");
}

static bool parse_order(struct parser *s, uint8_t *ret) {
  static const struct {
    const char *name;
    enum order order;
  } orders[] = {{"na", ORD_NA},   {"rlx", ORD_RLX}, {"acqrel", ORD_ACQREL},
                {"acq", ORD_ACQ}, {"rel", ORD_REL}, {"sc", ORD_SC}};
  for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++)
    if (accept(s, orders[i].name)) {
      *ret = (uint8_t)orders[i].order;
      return true;
    }
  return fail(s, "an order");
}

// condition = "(" register ("==" | "!=" | "<" | ">=") number ")"
static bool parse_condition(struct parser *s, struct condition *ret) {
  if (!expect(s, "(") || !parse_register(s, /*is_new=*/false, &ret->reg))
    return false;
  ret->comparison = accept(s, "==")   ? CMP_EQ
                    : accept(s, "!=") ? CMP_NE
                    : accept(s, ">=") ? CMP_GE
                    : accept(s, "<")  ? CMP_LT
                                      : CMP_ALWAYS;
  if (ret->comparison == CMP_ALWAYS)
    return fail(s, "a comparison");
  return parse_number(s, &ret->than) && expect(s, ")");
}

static struct condition negated(struct condition c) {
  static const uint8_t opposite[] = {CMP_ALWAYS, CMP_NE, CMP_EQ, CMP_GE,
                                     CMP_LT};
  c.comparison = opposite[c.comparison];
  return c;
}

static bool parse_thread_number(struct parser *s, uint8_t *ret) {
  return expect(s, "T") && parse_number(s, ret);
}

static bool parse_update(struct parser *s, enum action_kind kind,
                         struct action *a) {
  a->kind = (uint8_t)kind;
  return parse_order(s, &a->order) && parse_location(s, a) &&
         parse_operand(s, &a->value);
}

static bool parse_cas(struct parser *s, struct action *a) {
  a->kind = DO_CAS;
  return expect(s, "(") && parse_location(s, a) && expect(s, ",") &&
         parse_operand(s, &a->expected) && expect(s, ",") &&
         parse_operand(s, &a->value) && expect(s, ")") &&
         parse_order(s, &a->order) && expect(s, "/") &&
         parse_order(s, &a->order_fail);
}

static bool parse_mutex(struct parser *s, enum action_kind kind,
                        enum order order, struct action *a) {
  a->kind = (uint8_t)kind;
  a->order = (uint8_t)order;
  return parse_location_name(s, &a->loc);
}

// side = "rw" | "r" | "w"
static bool parse_side(struct parser *s, uint8_t read, uint8_t write,
                       uint8_t *ret) {
  bool reads = accept(s, "r"), writes = accept(s, "w");
  *ret |= (uint8_t)((reads ? read : 0) | (writes ? write : 0));
  return reads || writes || fail(s, "r, w or rw");
}

// Instructions; false without a complaint: it is none.
static bool parse_instruction(struct parser *s, struct action *a, bool *ret) {
  if (accept(s, "LL")) {
    a->kind = DO_LOAD;
    a->is_linked = true;
    *ret = parse_order(s, &a->order) && parse_location(s, a);
    return true;
  }
  if (accept(s, "AMO")) {
    a->on_both = true;
    *ret = parse_update(s, DO_EXCHANGE, a);
    return true;
  }
  if (!accept(s, "fence."))
    return false;
  a->kind = DO_FENCE;
  a->order = ORD_NA;
  *ret = parse_side(s, BEFORE_READ, BEFORE_WRITE, &a->sides) &&
         expect(s, ".") && parse_side(s, BEHIND_READ, BEHIND_WRITE, &a->sides);
  return true;
}

static bool parse_verb(struct parser *s, struct action *a) {
  bool ok;
  if (s->p->is_isa && parse_instruction(s, a, &ok))
    return ok;
  if (accept(s, "FADD"))
    return parse_update(s, DO_ADD, a);
  if (accept(s, "XCHG"))
    return parse_update(s, DO_EXCHANGE, a);
  if (accept(s, "CAS"))
    return parse_cas(s, a);
  if (accept(s, "PICK")) {
    a->is_pick = true;
    return parse_cas(s, a);
  }
  if (accept(s, "lock"))
    return parse_mutex(s, DO_LOCK, ORD_ACQ, a);
  if (accept(s, "unlock"))
    return parse_mutex(s, DO_UNLOCK, ORD_REL, a);
  if (accept(s, "assume")) {
    a->kind = DO_ASSUME;
    return parse_condition(s, &a->assumed);
  }
  if (accept(s, "assert")) {
    a->kind = DO_ASSERT;
    return parse_condition(s, &a->assumed);
  }
  if (accept(s, "alloc")) {
    a->kind = DO_ALLOC;
    return parse_location_name(s, &a->loc);
  }
  if (accept(s, "free")) {
    a->kind = DO_FREE;
    return parse_location_name(s, &a->loc);
  }
  if (accept(s, "choose")) {
    a->kind = DO_CHOOSE;
    return expect(s, "(") && parse_number(s, &a->value.plus) && expect(s, ")");
  }
  if (accept(s, "isb")) {
    a->kind = DO_ISB;
    return true;
  }
  if (accept(s, "dmb.st")) {
    a->kind = DO_STORES;
    return true;
  }
  for (uint8_t k = 0; k < KERNEL_FENCES; k++)
    if (accept(s, kernel_fence_names[k])) {
      a->kind = DO_KERNEL;
      a->value.plus = k;
      return true;
    }
  if (accept(s, "spawn")) {
    a->kind = DO_SPAWN;
    return parse_thread_number(s, &a->thread);
  }
  if (accept(s, "join")) {
    a->kind = DO_JOIN;
    return parse_thread_number(s, &a->thread);
  }
  if (accept(s, "W"))
    return parse_update(s, DO_STORE, a);
  if (accept(s, "R")) {
    a->kind = DO_LOAD;
    return parse_order(s, &a->order) && parse_location(s, a);
  }
  if (accept(s, "F")) {
    a->kind = DO_FENCE;
    return parse_order(s, &a->order);
  }
  return fail(s, "an operation");
}

// action = [register "="] verb
static bool parse_action(struct parser *s, struct condition guard) {
  struct program *p = s->p;
  if (p->len[s->thread] == PROGRAM_OPS)
    return fail(s, "fewer operations");
  struct action a = action_new(DO_LOAD); // until its verb is read
  a.guard = guard;
  skip_space(s);
  size_t name = strspn(s->at, "abcdefghijklmnopqrstuvwxyz0123456789");
  if (s->at[name] == '=' &&
      (!parse_register(s, /*is_new=*/true, &a.dst) || !expect(s, "=")))
    return false;
  if (!parse_verb(s, &a))
    return false;
  p->ops[s->thread][p->len[s->thread]++] = a;
  return true;
}

// block = "{" [action (";" action)*] "}"
static bool parse_block(struct parser *s, struct condition guard) {
  if (!expect(s, "{"))
    return false;
  if (accept(s, "}"))
    return true;
  do
    if (!parse_action(s, guard))
      return false;
  while (accept(s, ";"));
  return expect(s, "}");
}

// statement = "if" condition block ["else" block] | action
static bool parse_statement(struct parser *s) {
  if (!accept(s, "if"))
    return parse_action(s, (struct condition){0});
  struct condition c;
  if (!parse_condition(s, &c) || !parse_block(s, c))
    return false;
  return !accept(s, "else") || parse_block(s, negated(c));
}

// thread = [statement (";" statement)*]
static bool parse_thread(struct parser *s) {
  s->nregs = 0;
  skip_space(s);
  if (*s->at == '|' || !*s->at)
    return true;
  do
    if (!parse_statement(s))
      return false;
  while (accept(s, ";"));
  return true;
}

// Main creates all threads first if it creates none itself.
static bool add_spawns(struct parser *s) {
  struct program *p = s->p;
  for (unsigned i = 0; i < p->len[0]; i++)
    if (p->ops[0][i].kind == DO_SPAWN)
      return true;
  unsigned n = p->nthreads - 1u;
  if (p->len[0] + n > PROGRAM_OPS)
    return fail(s, "fewer operations in main");
  memmove(p->ops[0] + n, p->ops[0], p->len[0] * sizeof p->ops[0][0]);
  for (unsigned t = 1; t <= n; t++) {
    p->ops[0][t - 1] = action_new(DO_SPAWN);
    p->ops[0][t - 1].thread = (uint8_t)t;
  }
  p->len[0] = (uint8_t)(p->len[0] + n);
  return true;
}

// program = ["isa:"] ["main:" thread "|"] thread ("|" thread)*
bool program_parse(const char *text, struct program *ret, struct diag *why) {
  struct program p = {.nthreads = 1};
  struct parser s = {.at = text, .p = &p, .why = why};
  p.is_isa = accept(&s, "isa:");
  if (accept(&s, "main:") && (!parse_thread(&s) || !expect(&s, "|")))
    return false;
  do {
    if (p.nthreads == PROGRAM_THREADS)
      return fail(&s, "fewer threads");
    s.thread = p.nthreads++;
    if (!parse_thread(&s))
      return false;
  } while (accept(&s, "|"));
  skip_space(&s);
  if (*s.at)
    return fail(&s, "; or |");
  if (!add_spawns(&s))
    return false;
  *ret = p;
  return true;
}
