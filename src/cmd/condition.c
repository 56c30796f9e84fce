// SPDX-License-Identifier: MIT
// A condition is read into a list of nodes, operands before what uses them, and
// evaluated on 64-bit numbers. Names are looked up at once: each becomes the
// address of a scalar inside a global.
#include "cmd/condition.h"

#include "base/suggest.h"

#include <ctype.h>
#include <errno.h>
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

struct node {
  enum node_kind kind;
  int64_t number;   // of a number; of a variable its initial value
  uint64_t address; // of a variable, and how it is to be read
  unsigned size;
  bool is_signed;
  char observed[64]; // what is observed, and by which thread (-1: any one)
  int thread;
  bool is_ambiguous, was_seen;
  uint32_t left, right; // nodes
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

static int64_t extended(const struct node *n, uint64_t bits) {
  unsigned unused = 64 - 8 * n->size;
  return n->is_signed ? (int64_t)(bits << unused) >> unused
                      : (int64_t)(bits << unused >> unused);
}

// Looks for the path in one global: no path is longer than its size says.
static bool find_in_global(const struct reader *r, uint32_t i, const char *name,
                           struct node *ret) {
  const struct global *g = &r->prog->globals.at[i];
  uint64_t base = prog_global_address(r->prog, i);
  enum { MOST = 1 << 16 };
  for (uint64_t offset = 0; offset < g->size && offset < MOST; offset++) {
    type_id t = prog_scalar_at(r->prog, g->type, offset);
    struct str path = {0};
    bool is_it = t && prog_name_address(r->prog, base + offset, &path) &&
                 strcmp(str_text(&path), name) == 0;
    str_done(&path);
    const struct type *type = &r->prog->types.at[t];
    if (!is_it || !type->size || type->size > 8 ||
        offset + type->size > g->size)
      continue;
    *ret = (struct node){.kind = NODE_VARIABLE,
                         .address = base + offset,
                         .size = (unsigned)type->size,
                         .is_signed = type->is_signed};
    uint64_t bits = 0;
    if (g->bytes)
      memcpy(&bits, g->bytes + offset, ret->size);
    ret->number = extended(ret, bits);
    return true;
  }
  return false;
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
    if (strlen(known) == base && strncmp(known, start, base) == 0 &&
        find_in_global(r, i, name, &n)) {
      *ret = add(r, n);
      return true;
    }
    if (strncmp(known, "__", 2) != 0)
      suggest_consider(&s, known);
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
  r->at = end;
  *ret = add(r, (struct node){.kind = NODE_NUMBER, .number = (int64_t)n});
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

static int64_t value_of(const struct node *n, const struct outcomes *o,
                        uint32_t outcome) {
  for (uint32_t v = 0; v < o->variables.len; v++)
    if (!o->variables.at[v].observed &&
        o->variables.at[v].address == n->address)
      return extended(n, outcome_bits(o, outcome, v));
  return n->number;
}

// What was observed in the outcome; false: nothing was.
static bool observation_of(struct node *n, const struct outcomes *o,
                           uint32_t outcome, int64_t *ret) {
  unsigned found = 0;
  for (uint32_t v = 0; v < o->variables.len; v++) {
    const struct variable *x = &o->variables.at[v];
    if (!x->observed || strcmp(x->observed, n->observed) != 0 ||
        (n->thread >= 0 && x->thread != (unsigned)n->thread) ||
        !outcome_has(o, outcome, v))
      continue;
    *ret = (int64_t)outcome_bits(o, outcome, v);
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

static int64_t compute(const struct node *n, int64_t a, int64_t b) {
  switch (n->kind) {
  case NODE_NUMBER:
  case NODE_VARIABLE:
  case NODE_OBSERVED:
    return n->number;
  case NODE_NOT:
    return !a;
  case NODE_MINUS:
    return (int64_t) - (uint64_t)a;
  case NODE_AND:
    return a && b;
  case NODE_OR:
    return a || b;
  case NODE_EQ:
    return a == b;
  case NODE_NE:
    return a != b;
  case NODE_LT:
    return a < b;
  case NODE_LE:
    return a <= b;
  case NODE_GT:
    return a > b;
  case NODE_GE:
    return a >= b;
  case NODE_ADD:
    return (int64_t)((uint64_t)a + (uint64_t)b);
  case NODE_SUB:
    return (int64_t)((uint64_t)a - (uint64_t)b);
  }
  return 0;
}

bool condition_holds(struct condition *c, const struct outcomes *o,
                     uint32_t outcome) {
  uint32_t n = c->nodes.len;
  int64_t *value = xcalloc(n, sizeof *value);
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
  bool holds = is_known && value[n - 1] != 0;
  free(value);
  return holds;
}
