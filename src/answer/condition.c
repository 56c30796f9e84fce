// SPDX-License-Identifier: MIT
// A condition is read into a list of nodes, operands before what uses them, and
// evaluated as C would. Names are looked up at once: each becomes the address
// of a scalar inside a global.
#include "answer/condition.h"

#include "base/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum node_kind {
  NODE_NUMBER,
  NODE_VARIABLE,
  NODE_OBSERVED,
  NODE_NOT,
  NODE_MINUS,
  NODE_AND,
  NODE_OR,
  NODE_EQ,
  NODE_NE,
  NODE_LT,
  NODE_LE,
  NODE_GT,
  NODE_GE,
  NODE_ADD,
  NODE_SUB,
};

// A number of C: int, unsigned, long or unsigned long. Its bits are extended as
// the type says.
struct number {
  uint64_t bits;
  bool is_long, is_unsigned;
};

struct node {
  enum node_kind kind;
  struct number number;
  uint64_t address; // of a variable, how it is to be read, its initial bytes
  unsigned size, bit, bits;
  bool is_signed;
  uint64_t initial;
  char observed[64]; // what is observed, and by which thread (-1: any one)
  int thread;
  bool is_ambiguous, was_seen; // of what is observed
  bool is_hidden;              // in a write of 16 bytes
  uint32_t left, right;        // nodes
};

struct condition {
  ARRAY(struct node) nodes; // the last is the whole
};

struct reader {
  const char *text, *at;
  const struct prog *prog;
  struct condition *c;
  struct diag *why;
  unsigned depth;
};

// -- words

struct operator_word {
  const char *word;
  enum node_kind kind;
};

static void skip_blanks(struct reader *r) {
  r->at += strspn(r->at, " \t\n");
}

static bool accept(struct reader *r, const char *word) {
  skip_blanks(r);
  size_t len = strlen(word);
  if (strncmp(r->at, word, len) != 0)
    return false;
  r->at += len;
  return true;
}

// The first of the words that stands here.
static bool accept_operator(struct reader *r, const struct operator_word *words,
                            enum node_kind *ret) {
  for (; words->word; words++)
    if (accept(r, words->word)) {
      *ret = words->kind;
      return true;
    }
  return false;
}

static bool fail(struct reader *r, const char *expected) {
  skip_blanks(r);
  diag_set(r->why, NULL, 0, "the condition '%.400s': expected %s %s%.40s%s",
           r->text, expected, *r->at ? "before '" : "at its end", r->at,
           *r->at ? "'" : "");
  diag_hint(r->why, "a condition is over the final values of global variables, "
                    "such as 'r1 == 1 && r2 == 0'");
  return false;
}

static uint32_t add(struct reader *r, struct node n) {
  array_push(&r->c->nodes, n);
  return r->c->nodes.len - 1;
}

// -- variables

static uint64_t extended(uint64_t bits, unsigned width, bool is_signed) {
  uint64_t up = bits << (64 - width);
  return is_signed ? (uint64_t)((int64_t)up >> (64 - width))
                   : up >> (64 - width);
}

static struct number of_type(uint64_t bits, bool is_long, bool is_unsigned) {
  return (struct number){extended(bits, is_long ? 64 : 32, !is_unsigned),
                         is_long, is_unsigned};
}

static struct number of_int(bool value) {
  return (struct number){.bits = value};
}

// What a variable is worth whose bytes are given: small ones are int.
static struct number promoted(const struct node *n, uint64_t bytes) {
  uint64_t bits = extended(bytes >> n->bit, n->bits, n->is_signed);
  return of_type(bits, n->bits > 32,
                 !n->is_signed && (n->bits == 32 || n->bits == 64));
}

// Where a path leads: a part of a global.
struct part {
  type_id type;
  uint64_t offset;
  unsigned bit, bits; // of a bit-field
};

// Goes to the member with that name, also in members without one.
static bool find_member(const struct prog *p, const char *name, size_t len,
                        struct part *at) {
  const struct type *t = &p->types.at[at->type];
  if (t->kind != TYPE_STRUCT)
    return false;
  for (uint32_t i = 0; i < t->members; i++) {
    const struct member *m = &p->members.at[t->first_member + i];
    const char *known = prog_text(p, m->name);
    struct part inside = {m->type, at->offset + m->offset, m->bit, m->bits};
    bool is_it = strlen(known) == len && strncmp(known, name, len) == 0;
    if (is_it || (!*known && find_member(p, name, len, &inside))) {
      *at = inside;
      return true;
    }
  }
  return false;
}

// path = ("." name | "[" number "]")*
static bool follow_path(const struct prog *p, const char *path,
                        struct part *at) {
  while (*path) {
    const struct type *t = &p->types.at[at->type];
    char *end;
    if (*path == '.') {
      size_t len = strcspn(path + 1, ".[");
      if (!find_member(p, path + 1, len, at))
        return false;
      path += 1 + len;
      continue;
    }
    if (*path != '[' || !isdigit((unsigned char)path[1]) ||
        t->kind != TYPE_ARRAY)
      return false;
    uint64_t i = strtoull(path + 1, &end, 10),
             size = p->types.at[t->element].size;
    if (*end != ']' || !size || i >= t->size / size)
      return false;
    at->type = t->element;
    at->offset += i * size;
    path = end + 1;
  }
  return true;
}

enum found { FOUND, FOUND_NONE, FOUND_REAL };

static enum found find_in_global(const struct reader *r, uint32_t i,
                                 const char *path, struct node *ret) {
  const struct global *g = &r->prog->globals.at[i];
  struct part at = {.type = g->type};
  if (!g->type || !follow_path(r->prog, path, &at))
    return FOUND_NONE;
  const struct type *type = &r->prog->types.at[at.type];
  if (type->is_float)
    return FOUND_REAL;
  // A bit-field may begin in the last byte of what its type would need.
  uint64_t size = at.bits ? (at.bit + at.bits + 7u) / 8 : type->size;
  if (type->kind != TYPE_SCALAR || !size || size > 8 ||
      at.offset + size > g->size)
    return FOUND_NONE;
  *ret = (struct node){.kind = NODE_VARIABLE,
                       .address = prog_global_address(r->prog, i) + at.offset,
                       .size = (unsigned)size,
                       .bit = at.bit,
                       .bits = at.bits ? at.bits : 8 * (unsigned)size,
                       .is_signed = type->is_signed};
  if (g->bytes)
    memcpy(&ret->initial, g->bytes + at.offset, size);
  return FOUND;
}

static bool observes_something(const struct prog *p) {
  for (uint32_t i = 0; i < p->code.len; i++)
    if (p->code.at[i].op == OP_sys && p->code.at[i].imm == BI_observe)
      return true;
  return false;
}

// T1:r1, or r1 of some thread.
static bool read_observed(struct reader *r, const char *start, uint32_t *ret) {
  struct node n = {.kind = NODE_OBSERVED, .thread = -1};
  int skip = 0;
  if (!observes_something(r->prog))
    return false;
  if (sscanf(start, "T%d:%n", &n.thread, &skip) == 1 && !skip)
    n.thread = -1;
  const char *name = start + skip;
  size_t len = strspn(name, "_0123456789abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (!len || len >= sizeof n.observed)
    return false;
  memcpy(n.observed, name, len);
  r->at = name + len;
  *ret = add(r, n);
  return true;
}

// A constant of an enumeration that some variable has, and the files agree on.
static bool find_enumerator(const struct prog *p, const char *name,
                            struct node *ret) {
  bool found = false;
  for (uint32_t i = 0; i < p->types.len; i++) {
    const struct type *t = &p->types.at[i];
    for (uint32_t k = 0; t->kind == TYPE_SCALAR && k < t->members; k++) {
      const struct member *m = &p->members.at[t->first_member + k];
      if (strcmp(prog_text(p, m->name), name) != 0)
        continue;
      if (found && ret->number.bits != m->offset)
        return false;
      bool is_int = (int64_t)m->offset == (int32_t)m->offset;
      *ret = (struct node){.kind = NODE_NUMBER,
                           .number = {m->offset, !is_int, false}};
      found = true;
    }
  }
  return found;
}

static bool read_variable(struct reader *r, uint32_t *ret) {
  const char *start = r->at;
  size_t base = 0;
  while (isalnum((unsigned char)start[base]) || start[base] == '_')
    base++;
  r->at += base;
  r->at += strspn(r->at, "_.[]0123456789abcdefghijklmnopqrstuvwxyz"
                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  char name[256];
  snprintf(name, sizeof name, "%.*s", (int)(r->at - start), start);
  struct suggestion s = {.wanted = name};
  for (uint32_t i = 0; i < r->prog->globals.len; i++) {
    const struct global *g = &r->prog->globals.at[i];
    const char *known = prog_text(r->prog, g->name);
    struct node n;
    if (g->is_thread_local || g->is_anonymous)
      continue;
    enum found found = FOUND_NONE;
    if (strlen(known) == base && strncmp(known, start, base) == 0)
      found = find_in_global(r, i, name + base, &n);
    if (found == FOUND_REAL)
      return diag_set(r->why, NULL, 0,
                      "the condition names '%s', a floating-point number; "
                      "conditions are about integers",
                      name);
    if (found == FOUND) {
      *ret = add(r, n);
      return true;
    }
    if (strncmp(known, "__", 2) != 0)
      suggest_consider(&s, known);
  }
  struct node constant;
  if (find_enumerator(r->prog, name, &constant)) {
    *ret = add(r, constant);
    return true;
  }
  if (read_observed(r, start, ret))
    return true;
  diag_set(r->why, NULL, 0,
           "the condition names '%s', which is no number in a global variable "
           "that the program uses",
           name);
  if (s.best)
    diag_hint(r->why, "did you mean '%s'?", s.best);
  else
    diag_hint(r->why,
              "a local variable has a final value where "
              "heddle_observe(%s) says so",
              name);
  return false;
}

// -- expressions

static bool read_or(struct reader *r, uint32_t *ret);
static bool read_term(struct reader *r, uint32_t *ret);

static bool read_number(struct reader *r, uint32_t *ret) {
  char *end;
  errno = 0;
  unsigned long long n = strtoull(r->at, &end, 0);
  if (errno)
    return fail(r, "a number of 64 bits");
  bool may_be_unsigned = *r->at == '0'; // it is octal or hexadecimal
  r->at = end;
  bool is_long = n > (may_be_unsigned ? UINT32_MAX : INT32_MAX);
  *ret =
      add(r, (struct node){.kind = NODE_NUMBER,
                           .number = {n, is_long,
                                      n > (is_long ? INT64_MAX : INT32_MAX)}});
  return true;
}

static bool read_nested(struct reader *r, uint32_t *ret) {
  enum { MAX_DEPTH = 200 };
  if (++r->depth > MAX_DEPTH)
    return fail(r, "a condition that is nested less deeply");
  bool ok = read_term(r, ret);
  r->depth--;
  return ok;
}

static bool read_term(struct reader *r, uint32_t *ret) {
  skip_blanks(r);
  bool is_not =
      strncmp(r->at, "!=", 2) != 0 && (*r->at == '!' || *r->at == '~');
  if (is_not || *r->at == '-') {
    r->at++;
    uint32_t inner;
    if (!read_nested(r, &inner))
      return false;
    *ret = add(r, (struct node){.kind = is_not ? NODE_NOT : NODE_MINUS,
                                .left = inner});
    return true;
  }
  if (accept(r, "("))
    return read_or(r, ret) && (accept(r, ")") || fail(r, "')'"));
  if (isdigit((unsigned char)*r->at))
    return read_number(r, ret);
  if (isalpha((unsigned char)*r->at) || *r->at == '_')
    return read_variable(r, ret);
  return fail(r, "a variable, a number or '('");
}

// A chain of one level: what is between the operators is read by `inner`.
static bool read_chain(struct reader *r, const struct operator_word *words,
                       bool (*inner)(struct reader *, uint32_t *),
                       uint32_t *ret) {
  enum node_kind kind;
  if (!inner(r, ret))
    return false;
  while (accept_operator(r, words, &kind)) {
    uint32_t right;
    if (!inner(r, &right))
      return false;
    *ret = add(r, (struct node){.kind = kind, .left = *ret, .right = right});
  }
  return true;
}

static bool read_sum(struct reader *r, uint32_t *ret) {
  static const struct operator_word words[] = {
      {"+", NODE_ADD}, {"-", NODE_SUB}, {NULL, 0}};
  return read_chain(r, words, read_nested, ret);
}

static bool read_comparison(struct reader *r, uint32_t *ret) {
  static const struct operator_word words[] = {
      {"==", NODE_EQ}, {"!=", NODE_NE}, {"<=", NODE_LE}, {">=", NODE_GE},
      {"<", NODE_LT},  {">", NODE_GT},  {"=", NODE_EQ},  {NULL, 0}};
  return read_chain(r, words, read_sum, ret);
}

static bool read_and(struct reader *r, uint32_t *ret) {
  static const struct operator_word words[] = {
      {"&&", NODE_AND}, {"/\\", NODE_AND}, {NULL, 0}};
  return read_chain(r, words, read_comparison, ret);
}

static bool read_or(struct reader *r, uint32_t *ret) {
  static const struct operator_word words[] = {
      {"||", NODE_OR}, {"\\/", NODE_OR}, {NULL, 0}};
  return read_chain(r, words, read_and, ret);
}

struct condition *condition_read(const char *text, const struct prog *p,
                                 struct diag *why) {
  struct condition *c = xcalloc(1, sizeof *c);
  struct reader r = {text, text, p, c, why, 0};
  uint32_t whole;
  bool ok = read_or(&r, &whole);
  skip_blanks(&r);
  if (ok && *r.at)
    ok = fail(&r, "'&&' or '||'");
  if (ok)
    return c;
  condition_free(c);
  return NULL;
}

void condition_free(struct condition *c) {
  if (c)
    array_done(&c->nodes);
  free(c);
}

// -- evaluation

// Bytes that were not written are as they were at first.
static struct number value_of(struct node *n, const struct outcomes *o,
                              uint32_t outcome) {
  uint8_t bytes[8];
  uint64_t whole;
  memcpy(bytes, &n->initial, sizeof bytes);
  for (uint32_t v = 0; v < o->variables.len; v++) {
    const struct variable *x = &o->variables.at[v];
    if (x->observed || !outcome_has(o, outcome, v))
      continue;
    uint64_t bits = outcome_bits(o, outcome, v);
    for (unsigned i = 0; i < n->size && i < sizeof bytes; i++) {
      uint64_t inside = n->address + i - x->address;
      if (inside >= x->size)
        continue;
      n->is_hidden |= x->size > 8;
      bytes[i] = (uint8_t)(bits >> 8 * (inside % 8));
    }
  }
  memcpy(&whole, bytes, sizeof whole);
  return promoted(n, whole);
}

// What was observed in the outcome; false: nothing was.
static bool observation_of(struct node *n, const struct outcomes *o,
                           uint32_t outcome, struct number *ret) {
  unsigned found = 0;
  for (uint32_t v = 0; v < o->variables.len; v++) {
    const struct variable *x = &o->variables.at[v];
    if (!x->observed || strcmp(x->observed, n->observed) != 0 ||
        (n->thread >= 0 && x->thread != (unsigned)n->thread) ||
        !outcome_has(o, outcome, v))
      continue;
    *ret = of_type(outcome_bits(o, outcome, v), true, false);
    found++;
  }
  n->was_seen |= found > 0;
  n->is_ambiguous |= found > 1;
  return found > 0;
}

bool condition_was_clear(const struct condition *c, const struct outcomes *o,
                         struct diag *why) {
  for (uint32_t i = 0; i < c->nodes.len; i++) {
    const struct node *n = &c->nodes.at[i];
    if (n->is_hidden)
      return diag_set(why, NULL, 0,
                      "the condition is about a part of what the program "
                      "writes 16 bytes at a time, which is not supported");
    if (n->kind != NODE_OBSERVED || (n->was_seen && !n->is_ambiguous) ||
        !o->at.len)
      continue;
    if (n->is_ambiguous) {
      diag_set(why, NULL, 0, "several threads observe '%s'", n->observed);
      diag_hint(why, "T1:%s is what thread T1 observes", n->observed);
    } else {
      diag_set(why, NULL, 0,
               "the condition names '%s', which is no global variable and "
               "which no thread observes",
               n->observed);
    }
    return false;
  }
  return true;
}

static struct number compute(const struct node *n, struct number a,
                             struct number b) {
  if (n->kind == NODE_MINUS)
    return of_type(0 - a.bits, a.is_long, a.is_unsigned);
  // Both become the longer type, unsigned if one of that length is.
  bool is_long = a.is_long || b.is_long;
  bool is_unsigned = (a.is_unsigned && a.is_long == is_long) ||
                     (b.is_unsigned && b.is_long == is_long);
  uint64_t x = of_type(a.bits, is_long, is_unsigned).bits,
           y = of_type(b.bits, is_long, is_unsigned).bits;
  bool is_less = is_unsigned ? x < y : (int64_t)x < (int64_t)y;
  switch ((int)n->kind) {
  case NODE_NOT:
    return of_int(!a.bits);
  case NODE_AND:
    return of_int(a.bits && b.bits);
  case NODE_OR:
    return of_int(a.bits || b.bits);
  case NODE_EQ:
    return of_int(x == y);
  case NODE_NE:
    return of_int(x != y);
  case NODE_LT:
    return of_int(is_less);
  case NODE_LE:
    return of_int(is_less || x == y);
  case NODE_GT:
    return of_int(!is_less && x != y);
  case NODE_GE:
    return of_int(!is_less);
  case NODE_ADD:
    return of_type(x + y, is_long, is_unsigned);
  case NODE_SUB:
    return of_type(x - y, is_long, is_unsigned);
  default:
    return n->number;
  }
}

bool condition_holds(struct condition *c, const struct outcomes *o,
                     uint32_t outcome) {
  uint32_t n = c->nodes.len;
  struct number *value = xcalloc(n, sizeof *value);
  bool is_known = true;
  for (uint32_t i = 0; i < n; i++) {
    struct node *x = &c->nodes.at[i];
    if (x->kind == NODE_OBSERVED) {
      is_known &= observation_of(x, o, outcome, &value[i]);
      continue;
    }
    value[i] = x->kind == NODE_VARIABLE
                   ? value_of(x, o, outcome)
                   : compute(x, value[x->left], value[x->right]);
  }
  bool holds = is_known && value[n - 1].bits != 0;
  free(value);
  return holds;
}
