// SPDX-License-Identifier: MIT
// From text to tree: recursive descent, one function for each rule of the
// grammar. Operators bind as in herd, from loose to tight:
//
//   a | b    a; b    a \ b    a & b    a * b  a* a+ a? ~a    a^-1    f a
//
// so `a; b \ c` is a; (b \ c), and `r; s & ext` is r; (s & ext).
#include "cat/language/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 400 };

void ast_init(struct ast *t) {
  *t = (struct ast){0};
  strings_add(&t->names, "");
  (void)array_extend(&t->exprs, 1);
  (void)array_extend(&t->parameters, 1);
  (void)array_extend(&t->bindings, 1);
  (void)array_extend(&t->statements, 1);
}

void ast_done(struct ast *t) {
  array_done(&t->exprs);
  array_done(&t->parameters);
  array_done(&t->bindings);
  array_done(&t->statements);
  strings_done(&t->names);
}

bool cat_fail(const struct ast *t, struct cat_place at, struct diag *why,
              const char *fmt, ...) {
  char text[sizeof why->text];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  diag_set(why, strings_get(&t->names, at.file), at.line, "%s", text);
  why->column = at.column;
  return false;
}

// -- words

struct cat_place parse_here(const struct parser *p) {
  return (struct cat_place){p->file, p->next.line, p->next.column};
}

bool parse_advance(struct parser *p) {
  return lex_next(&p->lexer, &p->next, p->why);
}

bool parse_is_next(const struct parser *p, const char *word) {
  return (p->next.kind == TOK_SIGN || p->next.kind == TOK_KEYWORD) &&
         token_is(&p->next, word);
}

bool parse_fail(struct parser *p, const char *expected) {
  if (p->next.kind == TOK_END)
    return cat_fail(p->tree, parse_here(p), p->why,
                    "expected %s, but the text ends here", expected);
  enum { SHOWN = 60 };
  int len = p->next.len < SHOWN ? (int)p->next.len : SHOWN;
  return cat_fail(p->tree, parse_here(p), p->why, "expected %s, not '%.*s'",
                  expected, len, p->next.at);
}

bool parse_refuse(struct parser *p, struct cat_place at, const char *what) {
  cat_fail(p->tree, at, p->why, "%s: this is not supported", what);
  diag_hint(p->why,
            "what is supported: let, let rec, functions, procedures, include, "
            "try, if, tests with flag and undefined_unless, show");
  return false;
}

bool parse_accept(struct parser *p, const char *word, bool *found) {
  *found = parse_is_next(p, word);
  return !*found || parse_advance(p);
}

bool parse_expect(struct parser *p, const char *word) {
  char quoted[40];
  if (parse_is_next(p, word))
    return parse_advance(p);
  snprintf(quoted, sizeof quoted, "'%s'", word);
  return parse_fail(p, quoted);
}

uint32_t parse_intern(struct parser *p, const struct token *t) {
  struct str s = {0};
  str_add_bytes(&s, t->at, t->len);
  uint32_t id = strings_add(&p->tree->names, str_text(&s));
  str_done(&s);
  return id;
}

bool parse_name(struct parser *p, uint32_t *ret) {
  if (p->next.kind != TOK_NAME)
    return parse_fail(p, "a name");
  *ret = parse_intern(p, &p->next);
  return parse_advance(p);
}

bool parse_enter(struct parser *p) {
  if (++p->depth <= DEPTH)
    return true;
  cat_fail(p->tree, parse_here(p), p->why, "this is nested too deeply");
  diag_hint(p->why, "give parts of it names with let");
  return false;
}

// -- expressions

static uint32_t make(struct parser *p, enum expr_kind k, struct cat_place at,
                     uint32_t a, uint32_t b) {
  array_push(&p->tree->exprs,
             (struct expr){.kind = k, .at = at, .a = a, .b = b});
  return p->tree->exprs.len - 1;
}

static bool parse_named(struct parser *p, uint32_t *ret) {
  struct cat_place at = parse_here(p);
  uint32_t name;
  if (!parse_name(p, &name))
    return false;
  *ret = make(p, EX_NAME, at, 0, 0);
  p->tree->exprs.at[*ret].name = name;
  return true;
}

// tuple = expr ("," expr)*, before ")"
static bool parse_tuple(struct parser *p, uint32_t *ret) {
  uint32_t cells[64], n = 0;
  struct cat_place at = parse_here(p);
  bool more = true;
  while (more) {
    if (n == LENGTH(cells))
      return parse_fail(p, "fewer arguments");
    if (!parse_expr(p, &cells[n++]) || !parse_accept(p, ",", &more))
      return false;
  }
  *ret = cells[0];
  if (n == 1)
    return true;
  for (*ret = 0; n-- > 0;)
    *ret = make(p, EX_TUPLE, at, cells[n], *ret);
  return true;
}

// primary = name | "0" | "_" | "[" expr "]" | "(" tuple ")" | begin expr end
bool parse_primary(struct parser *p, uint32_t *ret) {
  struct cat_place at = parse_here(p);
  if (p->next.kind == TOK_NAME)
    return parse_named(p, ret);
  if (p->next.kind == TOK_TAG)
    return parse_refuse(p, at, "a tag");
  if (parse_is_next(p, "{"))
    return parse_refuse(p, at, "a set of sets '{...}'");
  if (parse_is_next(p, "0") || parse_is_next(p, "_")) {
    *ret = make(p, parse_is_next(p, "0") ? EX_EMPTY : EX_UNIVERSE, at, 0, 0);
    return parse_advance(p);
  }
  if (parse_is_next(p, "[")) {
    if (!parse_advance(p) || !parse_expr(p, ret) || !parse_expect(p, "]"))
      return false;
    *ret = make(p, EX_IDENTITY, at, *ret, 0);
    return true;
  }
  bool found;
  if (!parse_accept(p, "begin", &found))
    return false;
  if (found)
    return parse_expr(p, ret) && parse_expect(p, "end");
  if (!parse_accept(p, "(", &found))
    return false;
  if (found)
    return parse_tuple(p, ret) && parse_expect(p, ")");
  return parse_fail(p, "a set or a relation");
}

static bool starts_primary(const struct parser *p) {
  return p->next.kind == TOK_NAME || p->next.kind == TOK_TAG ||
         parse_is_next(p, "0") || parse_is_next(p, "_") ||
         parse_is_next(p, "[") || parse_is_next(p, "(") ||
         parse_is_next(p, "{") || parse_is_next(p, "begin");
}

// application = primary primary*; only a name or an application is a function
static bool parse_application(struct parser *p, uint32_t *ret) {
  if (!parse_primary(p, ret))
    return false;
  uint32_t kind = p->tree->exprs.at[*ret].kind;
  if (kind != EX_NAME && kind != EX_APPLY)
    return true;
  while (starts_primary(p)) {
    struct cat_place at = p->tree->exprs.at[*ret].at;
    uint32_t argument;
    if (!parse_primary(p, &argument))
      return false;
    *ret = make(p, EX_APPLY, at, *ret, argument);
  }
  return true;
}

// inverse = application "^-1"*
static bool parse_inverse(struct parser *p, uint32_t *ret) {
  if (!parse_application(p, ret))
    return false;
  while (parse_is_next(p, "^-1")) {
    *ret = make(p, EX_INVERSE, parse_here(p), *ret, 0);
    if (!parse_advance(p))
      return false;
  }
  return true;
}

// postfix = "~" postfix | inverse ("*" | "+" | "?" | "^-1" | "*" postfix)*
static bool parse_postfix(struct parser *p, uint32_t *ret) {
  struct cat_place at = parse_here(p);
  bool found;
  if (!parse_enter(p) || !parse_accept(p, "~", &found))
    return false;
  if (found) {
    if (!parse_postfix(p, ret))
      return false;
    *ret = make(p, EX_COMPLEMENT, at, *ret, 0);
    p->depth--;
    return true;
  }
  if (!parse_inverse(p, ret))
    return false;
  while (true) {
    static const char *const words[] = {"*", "+", "?", "^-1"};
    static const enum expr_kind kinds[] = {EX_STAR, EX_PLUS, EX_OPTIONAL,
                                           EX_INVERSE};
    ONE_FOR_EACH(kinds, LENGTH(words));
    unsigned i = 0;
    while (i < 4 && !parse_is_next(p, words[i]))
      i++;
    if (i == 4)
      break;
    at = parse_here(p);
    if (!parse_advance(p))
      return false;
    uint32_t right;
    if (i == 0 && (starts_primary(p) || parse_is_next(p, "~"))) {
      if (!parse_postfix(p, &right))
        return false;
      *ret = make(p, EX_PRODUCT, at, *ret, right);
    } else {
      *ret = make(p, kinds[i], at, *ret, 0);
    }
  }
  p->depth--;
  return true;
}

static const struct level {
  const char *word;
  enum expr_kind kind;
  bool is_left; // a \ b \ c is (a \ b) \ c
} levels[] = {
    {"|", EX_UNION, false},
    {";", EX_SEQUENCE, false},
    {"\\", EX_DIFFERENCE, true},
    {"&", EX_INTERSECTION, false},
};
enum { LEVELS = LENGTH(levels) };

// One or more operands of the next level, with the word of this one between
// them. Long chains cost no depth.
static bool parse_level(struct parser *p, unsigned level, uint32_t *ret) {
  if (level == LEVELS)
    return parse_postfix(p, ret);
  const struct level *l = &levels[level];
  ARRAY(uint32_t) operands = {0};
  ARRAY(struct cat_place) signs = {0};
  bool more = true, ok = true;
  while (ok && more) {
    uint32_t x = 0;
    struct cat_place at;
    ok = parse_level(p, level + 1, &x);
    array_push(&operands, x);
    at = parse_here(p);
    ok = ok && parse_accept(p, l->word, &more);
    array_push(&signs, at);
    if (ok && level == 0 && parse_is_next(p, "++"))
      ok = parse_refuse(p, parse_here(p), "'++'");
  }
  if (ok && l->is_left) {
    *ret = operands.at[0];
    for (uint32_t i = 1; i < operands.len; i++)
      *ret = make(p, l->kind, signs.at[i - 1], *ret, operands.at[i]);
  } else if (ok) {
    *ret = operands.at[operands.len - 1];
    for (uint32_t i = operands.len - 1; i-- > 0;)
      *ret = make(p, l->kind, signs.at[i], operands.at[i], *ret);
  }
  array_done(&operands);
  array_done(&signs);
  return ok;
}

// negation = "~" negation | string | "(" condition ")"
static bool parse_negation(struct parser *p, uint32_t *ret) {
  struct cat_place at = parse_here(p);
  bool found;
  if (!parse_enter(p) || !parse_accept(p, "~", &found))
    return false;
  if (found) {
    if (!parse_negation(p, ret))
      return false;
    *ret = make(p, EX_NOT, at, *ret, 0);
  } else if (p->next.kind == TOK_STRING) {
    *ret = make(p, EX_VARIANT, at, 0, 0);
    p->tree->exprs.at[*ret].name = parse_intern(p, &p->next);
    if (!parse_advance(p))
      return false;
  } else if (parse_is_next(p, "(")) {
    if (!parse_advance(p) || !parse_condition(p, ret) || !parse_expect(p, ")"))
      return false;
  } else {
    return parse_refuse(p, at, "a condition other than \"variant\"");
  }
  p->depth--;
  return true;
}

// conjunction = negation ("&&" negation)*
static bool parse_conjunction(struct parser *p, uint32_t *ret) {
  struct cat_place at = parse_here(p);
  if (!parse_negation(p, ret))
    return false;
  while (parse_is_next(p, "&&")) {
    uint32_t right;
    if (!parse_advance(p) || !parse_negation(p, &right))
      return false;
    *ret = make(p, EX_AND, at, *ret, right);
  }
  return true;
}

// condition = conjunction ("||" conjunction)*, of strings
bool parse_condition(struct parser *p, uint32_t *ret) {
  struct cat_place at = parse_here(p);
  if (!parse_conjunction(p, ret))
    return false;
  while (parse_is_next(p, "||")) {
    uint32_t right;
    if (!parse_advance(p) || !parse_conjunction(p, &right))
      return false;
    *ret = make(p, EX_OR, at, *ret, right);
  }
  return true;
}

// if condition then expr else expr
static bool parse_if(struct parser *p, uint32_t *ret) {
  struct cat_place at = parse_here(p);
  uint32_t condition, yes, no;
  if (!parse_expect(p, "if") || !parse_condition(p, &condition) ||
      !parse_expect(p, "then") || !parse_expr(p, &yes) ||
      !parse_expect(p, "else") || !parse_expr(p, &no))
    return false;
  *ret = make(p, EX_IF, at, yes, no);
  p->tree->exprs.at[*ret].name = condition;
  return true;
}

// try expr with expr
static bool parse_try(struct parser *p, uint32_t *ret) {
  struct cat_place at = parse_here(p);
  uint32_t first, second;
  if (!parse_expect(p, "try") || !parse_expr(p, &first) ||
      !parse_expect(p, "with") || !parse_expr(p, &second))
    return false;
  *ret = make(p, EX_TRY, at, first, second);
  return true;
}

// let bindings in expr
static bool parse_local_let(struct parser *p, uint32_t *ret) {
  struct cat_place at = parse_here(p);
  uint32_t bindings, body;
  if (!parse_let(p, &bindings) || !parse_expect(p, "in") ||
      !parse_expr(p, &body))
    return false;
  *ret = make(p, EX_LET, at, bindings, body);
  return true;
}

bool parse_expr(struct parser *p, uint32_t *ret) {
  bool ok;
  if (!parse_enter(p))
    return false;
  if (parse_is_next(p, "let"))
    ok = parse_local_let(p, ret);
  else if (parse_is_next(p, "try"))
    ok = parse_try(p, ret);
  else if (parse_is_next(p, "if"))
    ok = parse_if(p, ret);
  else if (parse_is_next(p, "fun") || parse_is_next(p, "match"))
    ok = parse_refuse(p, parse_here(p),
                      parse_is_next(p, "fun") ? "'fun'" : "'match'");
  else
    ok = parse_level(p, 0, ret);
  p->depth--;
  return ok;
}
