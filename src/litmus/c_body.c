// SPDX-License-Identifier: MIT
// Statements and expressions of C in litmus tests, a small part of the
// language; one function per rule. Parameters point to the locations of their
// names, or to what the first contents say. A location is a cell of 8 bytes.
//
// To most models a branch orders everything after it, but that of the Linux
// kernel wants the guarded statements only. So the branches from before are put
// back after an `if` or a loop; the vm keeps the others too.
#include "litmus/c.h"

#include <string.h>

enum { MAX_DEPTH = 200 };

bool c_refuse(struct c_body *c, const char *expected) {
  char text[64];
  scan_copy(c->at, text, sizeof text);
  c->l->line = c->at->line;
  return c->at->kind == TOK_END
             ? build_refuse(c->l, "%s expected, but the thread ends", expected)
             : build_refuse(c->l, "%s expected, not '%s'", expected, text);
}

const struct token *c_take(struct c_body *c) {
  return c->at->kind == TOK_END ? c->at : c->at++;
}

bool c_accept(struct c_body *c, const char *text) {
  if (!scan_is(c->at, text))
    return false;
  c_take(c);
  return true;
}

bool c_expect(struct c_body *c, const char *text) {
  char expected[16] = "'";
  if (c_accept(c, text))
    return true;
  strncat(expected, text, sizeof expected - 3);
  strcat(expected, "'");
  return c_refuse(c, expected);
}

// -- names

static bool is_location(struct c_body *c, const struct token *name,
                        uint32_t *ret) {
  struct litmus *t = c->l->t;
  uint32_t string = litmus_string(t, name);
  const struct litmus_thread *thread = &t->threads.at[c->l->thread];
  *ret = litmus_find_location(t, string);
  for (uint32_t i = 0; *ret == UINT32_MAX && i < thread->params.len; i++)
    if (thread->params.at[i] == string)
      *ret = litmus_location(t, string);
  return *ret != UINT32_MAX;
}

bool c_variable(struct c_body *c, const struct token *name, unsigned *ret) {
  struct build *l = c->l;
  uint32_t string = litmus_string(l->t, name);
  for (uint32_t i = 0; i < l->registers.len; i++)
    if (l->registers.at[i].name == string) {
      *ret = l->registers.at[i].slot;
      return true;
    }
  return false;
}

// Type words, of declarations and casts.
static bool is_type(const struct token *t) {
  return litmus_is_type(t) || scan_is(t, "void") || scan_is(t, "register");
}

static void skip_type(struct c_body *c) {
  while (is_type(c->at) || scan_is(c->at, "*")) {
    bool is_struct = scan_is(c->at, "struct");
    c_take(c);
    if (is_struct && c->at->kind == TOK_NAME)
      c_take(c);
  }
}

// -- expressions

static bool c_unary(struct c_body *c, unsigned *ret);

static bool c_name(struct c_body *c, unsigned *ret) {
  const struct token *name = c_take(c);
  uint32_t location, text = litmus_string(c->l->t, name);
  bool is_call;
  c->l->line = name->line;
  c->points = false;
  if (scan_is(c->at, "(")) {
    bool is_java = c->l->t->arch == ARCH_JAVA;
    if (!(is_java ? java_call : c_call)(c, name, &is_call, ret))
      return false;
    c->points = false;
    if (is_call)
      return true;
    c->at = name;
    return c_refuse(c, "a function that litmus tests may call");
  }
  if (c_variable(c, name, ret))
    return true;
  if (scan_is(name, "NULL")) {
    *ret = build_const(c->l, 0);
    return true;
  }
  if (!is_location(c, name, &location)) {
    c->at = name;
    return c_refuse(c, "a variable of the thread or a parameter");
  }
  const struct litmus_init *first = build_first(c->l, text);
  *ret = first ? build_first_value(c->l, text)
               : build_const(c->l, build_address(c->l, location));
  c->points = !first || first->value.location;
  return true;
}

// primary ::= number | name | name '(' ... ')' | '(' [type ')'] expression ')'
static bool c_primary(struct c_body *c, unsigned *ret) {
  uint64_t number;
  c->points = false;
  if (c->at->kind == TOK_NUMBER) {
    if (!scan_number(c->at, &number))
      return c_refuse(c, "a number");
    c_take(c);
    *ret = build_const(c->l, number);
    return true;
  }
  if (c_accept(c, "(")) {
    if (is_type(c->at)) {
      skip_type(c);
      bool is_address = scan_is(c->at - 1, "*");
      if (!c_expect(c, ")") || !c_unary(c, ret))
        return false;
      c->points &= is_address;
      return true;
    }
    return c_expression(c, ret) && c_expect(c, ")");
  }
  if (c->at->kind != TOK_NAME)
    return c_refuse(c, "an expression");
  return c_name(c, ret);
}

bool c_lvalue(struct c_body *c, unsigned *ret) {
  struct build *l = c->l;
  unsigned index;
  if (c_accept(c, "*"))
    return c_unary(c, ret);
  if (scan_is(c->at, "(") && !is_type(c->at + 1)) {
    c_take(c);
    if (++c->depth > MAX_DEPTH)
      return build_refuse(l, "too deep an expression");
    bool ok = c_lvalue(c, ret) && c_expect(c, ")");
    c->depth--;
    return ok;
  }
  if (!c_primary(c, ret))
    return false;
  if (!c_accept(c, "["))
    return true;
  if (!c_expression(c, &index) || !c_expect(c, "]"))
    return false;
  index = build_binary(l, OP_mul, index, build_const(l, 8), 64);
  *ret = build_binary(l, OP_add, *ret, index, 64);
  return true;
}

// What a sign makes of a value.
static unsigned apply_sign(struct build *l, char sign, unsigned value) {
  enum op op = sign == '!' ? OP_eq : sign == '-' ? OP_sub : OP_xor;
  if (sign == '*')
    return build_load(l, value, c_plain);
  if (sign == '+')
    return value;
  return build_binary(l, op, build_const(l, sign == '~' ? UINT64_MAX : 0),
                      value, 64);
}

// unary ::= ('*' | '&' | '!' | '-' | '~' | '+') unary | lvalue
static bool c_unary(struct c_body *c, unsigned *ret) {
  static const char signs[] = "*!-~+";
  struct build *l = c->l;
  if (++c->depth > MAX_DEPTH)
    return build_refuse(l, "too deep an expression");
  bool ok = true, is_sign = c->at->len == 1 && strchr(signs, *c->at->at);
  if (is_sign) {
    char sign = *c_take(c)->at;
    ok = c_unary(c, ret);
    if (ok)
      *ret = apply_sign(l, sign, *ret);
    c->points = false;
  } else if (c_accept(c, "&")) {
    ok = c_lvalue(c, ret);
    c->points = true;
  } else if (c->at->kind == TOK_NAME && scan_is(c->at + 1, "[")) {
    ok = c_lvalue(c, ret);
    if (ok)
      *ret = build_load(l, *ret, c_plain);
    c->points = false;
  } else {
    ok = c_primary(c, ret);
  }
  c->depth--;
  return ok;
}

static const struct {
  const char *name;
  unsigned level; // a higher one binds tighter
  enum op op;
  bool is_swapped;
} operators[] = {
    {"|", 2, OP_or, false},    {"^", 3, OP_xor, false},
    {"&", 4, OP_and, false},   {"==", 5, OP_eq, false},
    {"!=", 5, OP_ne, false},   {"<", 6, OP_slt, false},
    {"<=", 6, OP_sle, false},  {">", 6, OP_slt, true},
    {">=", 6, OP_sle, true},   {"<<", 7, OP_shl, false},
    {">>", 7, OP_ashr, false}, {"+", 8, OP_add, false},
    {"-", 8, OP_sub, false},   {"*", 9, OP_mul, false},
    {"/", 9, OP_sdiv, false},  {"%", 9, OP_srem, false},
};

// Does the code from there on more than compute?
static bool has_effects(const struct prog *p, uint32_t first) {
  for (uint32_t i = first; i < p->code.len; i++)
    if (!op_info(p->code.at[i].op)->pure)
      return true;
  return false;
}

// Operands with operators between them, which are applied from left to right.
// C leaves open in which order the operands are computed, so if several of them
// access memory, every order is a possible one.
enum { MAX_OPERANDS_OF_CHAIN = 32, MAX_ORDERED = 3, MAX_ORDERS = 200 };

struct chain {
  unsigned n, accessing;
  struct {
    const struct token *at;
    unsigned level, op; // to read it; the operator before it
    unsigned slot;
    bool accesses, points;
  } operand[MAX_OPERANDS_OF_CHAIN];
};

static bool c_binary(struct c_body *c, unsigned level, unsigned *ret);

static bool read_operand(struct c_body *c, struct chain *h, unsigned i) {
  unsigned level = h->operand[i].level;
  return level ? c_binary(c, level, &h->operand[i].slot)
               : c_unary(c, &h->operand[i].slot);
}

// The operands in the order in which they stand.
static bool read_chain(struct c_body *c, unsigned level, struct chain *h) {
  unsigned count = LENGTH(operators), op = 0, next = 0;
  for (;;) {
    if (h->n == MAX_OPERANDS_OF_CHAIN)
      return build_refuse(c->l, "an expression with too many operands");
    uint32_t first = c->l->p->code.len;
    unsigned i = h->n++;
    h->operand[i].at = c->at;
    h->operand[i].level = next;
    h->operand[i].op = op;
    if (!read_operand(c, h, i))
      return false;
    h->operand[i].points = c->points;
    h->operand[i].accesses = has_effects(c->l->p, first);
    h->accessing += h->operand[i].accesses;
    for (op = 0; op < count && (operators[op].level < level ||
                                !scan_is(c->at, operators[op].name));)
      op++;
    if (op == count)
      return true;
    c_take(c);
    next = operators[op].level + 1;
  }
}

// The nth order of the operands that access memory, as numbers of operands.
static void order_of(const struct chain *h, unsigned nth,
                     unsigned order[MAX_ORDERED]) {
  unsigned left[MAX_ORDERED], n = 0;
  for (unsigned i = 0; i < h->n; i++)
    if (h->operand[i].accesses)
      left[n++] = i;
  for (unsigned k = 0; n; k++) {
    unsigned pick = nth % n;
    nth /= n;
    order[k] = left[pick];
    for (unsigned i = pick; i + 1 < n; i++)
      left[i] = left[i + 1];
    n--;
  }
}

// Reads the operands once more, in one order, and puts them into `to`.
static bool lower_order(struct c_body *c, const struct chain *h, unsigned nth,
                        const unsigned *to) {
  unsigned order[MAX_ORDERED];
  struct chain again = *h;
  order_of(h, nth, order);
  for (unsigned k = 0; k < h->n + h->accessing; k++) {
    unsigned i = k < h->n ? k : order[k - h->n];
    if (k < h->n && h->operand[i].accesses)
      continue; // the others first
    c->at = h->operand[i].at;
    if (!read_operand(c, &again, i))
      return false;
    build_move(c->l, to[i], again.operand[i].slot);
  }
  return true;
}

// Chooses one of the orders.
static bool lower_orders(struct c_body *c, struct chain *h) {
  struct build *l = c->l;
  unsigned orders = h->accessing == 2 ? 2 : 6, to[MAX_OPERANDS_OF_CHAIN];
  unsigned choice = build_slot(l);
  const uint64_t range[] = {0, orders - 1};
  uint32_t end = build_label(l, 0);
  for (unsigned i = 0; i < h->n; i++)
    to[i] = build_slot(l);
  build_emit(l, OP_sys, choice, prog_const_run(l->p, range, 2),
             call_slots(2, 1), BI_choose);
  for (unsigned k = 0; k < orders; k++) {
    uint32_t here = build_label(l, 0), next = build_label(l, 0);
    unsigned is_it = build_binary(l, OP_eq, choice, build_const(l, k), 64);
    if (k + 1 < orders)
      build_branch(l, is_it, here, next);
    else
      build_jump(l, here);
    build_place(l, here);
    if (!lower_order(c, h, k, to))
      return false;
    build_jump(l, end);
    build_place(l, next);
  }
  build_place(l, end);
  for (unsigned i = 0; i < h->n; i++)
    h->operand[i].slot = to[i];
  return true;
}

// What is added to a pointer counts cells.
static unsigned scale(struct c_body *c, unsigned number) {
  return build_binary(c->l, OP_mul, number, build_const(c->l, 8), 64);
}

// The operators between the operands, from left to right.
static bool apply(struct c_body *c, const struct chain *h, unsigned *ret) {
  unsigned left = h->operand[0].slot;
  bool left_points = h->operand[0].points;
  for (unsigned i = 1; i < h->n; i++) {
    unsigned op = h->operand[i].op, right = h->operand[i].slot;
    bool swap = operators[op].is_swapped, right_points = h->operand[i].points;
    bool adds = operators[op].op == OP_add, takes = operators[op].op == OP_sub;
    if (takes && right_points)
      return build_refuse(c->l, "differences of addresses are not supported");
    if ((adds || takes) && left_points && !right_points)
      right = scale(c, right);
    else if (adds && right_points && !left_points)
      left = scale(c, left);
    left = build_binary(c->l, operators[op].op, swap ? right : left,
                        swap ? left : right, 64);
    left_points = (left_points || (adds && right_points)) && (adds || takes);
  }
  c->points = left_points;
  *ret = left;
  return true;
}

static bool c_binary(struct c_body *c, unsigned level, unsigned *ret) {
  struct build *l = c->l;
  uint32_t code = l->p->code.len, labels = l->labels.len, jumps = l->jumps.len;
  struct chain h = {0};
  if (!read_chain(c, level, &h))
    return false;
  // (One inside the other multiplies them.)
  if (h.accessing > MAX_ORDERED ||
      (h.accessing > 1 && ++c->orders > MAX_ORDERS))
    return build_refuse(l, "too many accesses in one expression, whose order C "
                           "leaves open: please use several statements");
  if (h.accessing > 1) {
    const struct token *end = c->at;
    // In orders of its own, instead of what was emitted.
    l->p->code.len = l->p->source.len = code;
    array_last(&l->p->funcs)->end = code;
    l->labels.len = labels;
    l->jumps.len = jumps;
    if (!lower_orders(c, &h))
      return false;
    c->at = end;
  }
  return apply(c, &h, ret);
}

// and ::= binary {'&&' binary}, or ::= and {'||' and}. Without accesses on the
// right they are computations, and both sides are computed.
static bool c_logical(struct c_body *c, enum op op, unsigned *ret) {
  struct build *l = c->l;
  unsigned right, zero = build_const(l, 0);
  bool is_or = op == OP_or;
  if (!(is_or ? c_logical(c, OP_and, ret) : c_binary(c, 2, ret)))
    return false;
  while (scan_is(c->at, is_or ? "||" : "&&")) {
    const struct token *name = c_take(c);
    uint32_t first = l->p->code.len;
    if (!(is_or ? c_logical(c, OP_and, &right) : c_binary(c, 2, &right)))
      return false;
    if (has_effects(l->p, first)) {
      l->line = name->line;
      return build_refuse(l,
                          "an access on the right of '%s' is not supported: "
                          "please write it as an if",
                          is_or ? "||" : "&&");
    }
    *ret = build_binary(l, op, build_binary(l, OP_ne, *ret, zero, 64),
                        build_binary(l, OP_ne, right, zero, 64), 64);
    c->points = false;
  }
  return true;
}

bool c_expression(struct c_body *c, unsigned *ret) {
  return c_logical(c, OP_or, ret);
}

// -- statements

static bool c_statement(struct c_body *c);

// What an `if` or a loop branches on is forgotten behind it.
static unsigned save_branches(struct c_body *c) {
  unsigned saved = build_slot(c->l);
  build_emit(c->l, OP_sys, saved, 0, call_slots(0, 1), BI_ctrl_save);
  return saved;
}

static void restore_branches(struct c_body *c, unsigned saved) {
  build_emit(c->l, OP_sys, 0, saved, call_slots(1, 0), BI_ctrl_restore);
}

// if '(' expression ')' statement ['else' statement]
static bool c_if(struct c_body *c) {
  struct build *l = c->l;
  uint32_t yes = build_label(l, 0), no = build_label(l, 0);
  uint32_t end = build_label(l, 0);
  unsigned slot, saved = save_branches(c);
  if (!c_expect(c, "(") || !c_expression(c, &slot) || !c_expect(c, ")"))
    return false;
  build_branch(l, slot, yes, no);
  build_place(l, yes);
  if (!c_statement(c))
    return false;
  build_jump(l, end);
  build_place(l, no);
  if (c_accept(c, "else") && !c_statement(c))
    return false;
  build_jump(l, end);
  build_place(l, end);
  restore_branches(c, saved);
  return true;
}

// while '(' expression ')' statement
static bool c_while(struct c_body *c) {
  struct build *l = c->l;
  uint32_t begin = build_label(l, 0), body = build_label(l, 0);
  uint32_t end = build_label(l, 0);
  unsigned slot, saved = save_branches(c);
  build_place(l, begin);
  if (!c_expect(c, "(") || !c_expression(c, &slot) || !c_expect(c, ")"))
    return false;
  build_branch(l, slot, body, end);
  build_place(l, body);
  if (!c_statement(c))
    return false;
  build_jump(l, begin);
  build_place(l, end);
  restore_branches(c, saved);
  return true;
}

// do statement while '(' expression ')' ';'
static bool c_do(struct c_body *c) {
  struct build *l = c->l;
  uint32_t begin = build_label(l, 0), end = build_label(l, 0);
  unsigned slot, saved = save_branches(c);
  build_place(l, begin);
  if (!c_statement(c) || !c_expect(c, "while") || !c_expect(c, "(") ||
      !c_expression(c, &slot) || !c_expect(c, ")") || !c_expect(c, ";"))
    return false;
  build_branch(l, slot, begin, end);
  build_place(l, end);
  restore_branches(c, saved);
  return true;
}

// type name ['=' expression] {',' ...} ';'
static bool c_declaration(struct c_body *c) {
  do {
    skip_type(c);
    const struct token *name = c_take(c);
    if (name->kind != TOK_NAME) {
      c->at = name;
      return c_refuse(c, "the name of a variable");
    }
    uint32_t text = litmus_string(c->l->t, name);
    unsigned slot = build_register(c->l, text),
             value = build_first_value(c->l, text);
    if (c_accept(c, "=") && !c_expression(c, &value))
      return false;
    build_move(c->l, slot, value);
  } while (c_accept(c, ","));
  return c_expect(c, ";");
}

// name '=' expression ';' of a variable of the thread
static bool c_assignment(struct c_body *c) {
  const struct token *name = c_take(c);
  uint32_t slot, value, location;
  c_take(c);
  if (!c_expression(c, &value) || !c_expect(c, ";"))
    return false;
  if (!c_variable(c, name, &slot)) {
    if (is_location(c, name, &location)) {
      c->at = name;
      return c_refuse(c, "'*' before a location");
    }
    slot = build_register(c->l, litmus_string(c->l->t, name));
  }
  build_move(c->l, slot, value);
  return true;
}

// '*' unary '=' expression ';', and elements of arrays
static bool c_store(struct c_body *c) {
  unsigned address, value;
  if (!c_lvalue(c, &address) || !c_expect(c, "=") || !c_expression(c, &value) ||
      !c_expect(c, ";"))
    return false;
  build_store(c->l, address, value, c_plain);
  return true;
}

static bool c_block(struct c_body *c) {
  while (!c_accept(c, "}"))
    if (c->at->kind == TOK_END ? !c_refuse(c, "'}'") : !c_statement(c))
      return false;
  return true;
}

static bool is_array_store(const struct c_body *c) {
  const struct token *t = c->at;
  if (t->kind != TOK_NAME || !scan_is(t + 1, "["))
    return false;
  while (t->kind != TOK_END && !scan_is(t, "]"))
    t++;
  return t->kind != TOK_END && scan_is(t + 1, "=");
}

static bool c_simple_statement(struct c_body *c) {
  unsigned ignored;
  if (c_accept(c, ";"))
    return true;
  if (c_accept(c, "{"))
    return c_block(c);
  if (c_accept(c, "if"))
    return c_if(c);
  if (c_accept(c, "while"))
    return c_while(c);
  if (c_accept(c, "do"))
    return c_do(c);
  if (is_type(c->at) || (c->at->kind == TOK_NAME && c->at[1].kind == TOK_NAME))
    return c_declaration(c);
  if (c->at->kind == TOK_NAME && scan_is(c->at + 1, "="))
    return c_assignment(c);
  if (scan_is(c->at, "*") || is_array_store(c))
    return c_store(c);
  return c_expression(c, &ignored) && c_expect(c, ";");
}

static bool c_statement(struct c_body *c) {
  c->l->line = c->at->line;
  if (++c->depth > MAX_DEPTH)
    return build_refuse(c->l, "too deeply nested");
  bool ok = c_simple_statement(c);
  c->depth--;
  return ok;
}

bool build_c_thread(struct build *l) {
  struct c_body c = {.l = l, .at = l->t->threads.at[l->thread].code.at};
  return c_expect(&c, "{") && c_block(&c);
}
