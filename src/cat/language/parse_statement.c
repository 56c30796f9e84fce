// SPDX-License-Identifier: MIT
// Definitions, tests and the like: see parse.c for the expressions in them.
#include "cat/language/parse.h"

#include <stdio.h>

const char *const test_words[TEST_EMPTY + 1] = {"acyclic", "irreflexive",
                                                "empty"};

static uint32_t make_statement(struct parser *p, enum statement_kind k,
                               struct cat_place at) {
  array_push(&p->tree->statements, (struct statement){.kind = k, .at = at});
  return p->tree->statements.len - 1;
}

static struct statement *statement_at(struct parser *p, uint32_t s) {
  return &p->tree->statements.at[s];
}

// parameters = name | "(" [name ("," name)*] ")"
static bool parse_parameters(struct parser *p, uint32_t *ret) {
  bool in_parens, more = true;
  uint32_t *link = ret, last = 0;
  *ret = 0;
  if (!parse_accept(p, "(", &in_parens))
    return false;
  if (in_parens && parse_is_next(p, ")"))
    return parse_advance(p);
  while (more) {
    struct parameter x = {0};
    if (!parse_name(p, &x.name))
      return false;
    array_push(&p->tree->parameters, x);
    uint32_t id = p->tree->parameters.len - 1;
    if (last)
      link = &p->tree->parameters.at[last].next;
    *link = last = id;
    more = false;
    if (in_parens && !parse_accept(p, ",", &more))
      return false;
  }
  return !in_parens || parse_expect(p, ")");
}

// binding = name [parameters] "=" expr
static bool parse_binding(struct parser *p, uint32_t *ret) {
  struct binding b = {.at = parse_here(p)};
  if (parse_is_next(p, "("))
    return parse_refuse(p, b.at, "a tuple of names in let");
  if (!parse_name(p, &b.name))
    return false;
  if (!parse_is_next(p, "=")) {
    b.is_function = true;
    if (!parse_parameters(p, &b.parameters))
      return false;
  }
  if (!parse_expect(p, "=") || !parse_expr(p, &b.body))
    return false;
  array_push(&p->tree->bindings, b);
  *ret = p->tree->bindings.len - 1;
  return true;
}

// let ["rec"] binding ("and" binding)*
bool parse_let(struct parser *p, uint32_t *ret) {
  *ret = make_statement(p, ST_LET, parse_here(p));
  bool is_rec, more = true;
  if (!parse_expect(p, "let") || !parse_accept(p, "rec", &is_rec))
    return false;
  uint32_t last = 0;
  while (more) {
    uint32_t b = 0;
    if (!parse_binding(p, &b))
      return false;
    if (last)
      p->tree->bindings.at[last].next = b;
    else
      statement_at(p, *ret)->binding = b;
    last = b;
    if (!parse_accept(p, "and", &more))
      return false;
  }
  if (parse_is_next(p, "when"))
    return parse_refuse(p, parse_here(p), "'when'");
  if (is_rec)
    statement_at(p, *ret)->kind = ST_REC;
  return true;
}

static bool parse_statements(struct parser *p, uint32_t *ret);

// [flag | assert | undefined_unless] ["~"] acyclic | irreflexive | empty
// expr ["as" name]
static bool parse_test(struct parser *p, uint32_t *ret) {
  struct statement s = {.kind = ST_TEST, .at = parse_here(p)};
  bool flag, undefined, assertion;
  if (!parse_accept(p, "flag", &flag) ||
      !parse_accept(p, "assert", &assertion) ||
      !parse_accept(p, "undefined_unless", &undefined) ||
      !parse_accept(p, "~", &s.is_negated))
    return false;
  s.mode = flag ? MODE_FLAG : undefined ? MODE_UNDEFINED_UNLESS : MODE_CHECK;
  unsigned i = 0;
  while (i < LENGTH(test_words) && !parse_is_next(p, test_words[i]))
    i++;
  if (i == LENGTH(test_words))
    return parse_fail(p, "acyclic, irreflexive or empty");
  s.test = (uint8_t)i;
  bool is_named;
  if (!parse_advance(p) || !parse_expr(p, &s.a) ||
      !parse_accept(p, "as", &is_named) ||
      (is_named && !parse_name(p, &s.name)))
    return false;
  array_push(&p->tree->statements, s);
  *ret = p->tree->statements.len - 1;
  return true;
}

// show expr as name | show name, ... | unshow name, ...: only for pictures
static bool parse_show(struct parser *p, uint32_t *ret) {
  *ret = 0;
  bool more = true, is_named;
  if (!parse_advance(p))
    return false;
  while (more) {
    uint32_t shown, name;
    if (!parse_expr(p, &shown) || !parse_accept(p, "as", &is_named) ||
        (is_named && !parse_name(p, &name)) || !parse_accept(p, ",", &more))
      return false;
  }
  return true;
}

static bool parse_include(struct parser *p, uint32_t *ret) {
  *ret = make_statement(p, ST_INCLUDE, parse_here(p));
  if (!parse_expect(p, "include"))
    return false;
  if (p->next.kind != TOK_STRING)
    return parse_fail(p, "the name of a file in '\"'");
  statement_at(p, *ret)->name = parse_intern(p, &p->next);
  return parse_advance(p);
}

// with name from expr
static bool parse_with(struct parser *p, uint32_t *ret) {
  *ret = make_statement(p, ST_GIVEN, parse_here(p));
  uint32_t name = 0, from;
  if (!parse_expect(p, "with") || !parse_name(p, &name) ||
      !parse_expect(p, "from") || !parse_expr(p, &from))
    return false;
  statement_at(p, *ret)->name = name;
  return true;
}

// if condition statements ["else" statements] "end"
static bool parse_if_statement(struct parser *p, uint32_t *ret) {
  *ret = make_statement(p, ST_IF, parse_here(p));
  uint32_t condition, yes, no = 0;
  bool has_else;
  if (!parse_expect(p, "if") || !parse_condition(p, &condition) ||
      !parse_statements(p, &yes) || !parse_accept(p, "else", &has_else) ||
      (has_else && !parse_statements(p, &no)) || !parse_expect(p, "end"))
    return false;
  struct statement *s = statement_at(p, *ret);
  s->a = condition;
  s->body = yes;
  s->other = no;
  return true;
}

// procedure name parameters "=" statements "end"
static bool parse_procedure(struct parser *p, uint32_t *ret) {
  *ret = make_statement(p, ST_PROCEDURE, parse_here(p));
  struct binding b = {.at = parse_here(p), .is_function = true};
  uint32_t body;
  if (!parse_expect(p, "procedure"))
    return false;
  if (parse_is_next(p, "rec"))
    return parse_refuse(p, parse_here(p), "a recursive procedure");
  if (!parse_name(p, &b.name) || !parse_parameters(p, &b.parameters) ||
      !parse_expect(p, "=") || !parse_statements(p, &body) ||
      !parse_expect(p, "end"))
    return false;
  array_push(&p->tree->bindings, b);
  statement_at(p, *ret)->binding = p->tree->bindings.len - 1;
  statement_at(p, *ret)->body = body;
  return true;
}

// call name primary ["as" name]
static bool parse_call(struct parser *p, uint32_t *ret) {
  *ret = make_statement(p, ST_CALL, parse_here(p));
  uint32_t name = 0, argument, as;
  bool is_named;
  if (!parse_expect(p, "call") || !parse_name(p, &name) ||
      !parse_primary(p, &argument) || !parse_accept(p, "as", &is_named) ||
      (is_named && !parse_name(p, &as)))
    return false;
  statement_at(p, *ret)->name = name;
  statement_at(p, *ret)->a = argument;
  return true;
}

static bool parse_debug(struct parser *p, uint32_t *ret) {
  uint32_t shown;
  *ret = 0;
  return parse_advance(p) && parse_expr(p, &shown);
}

static bool parse_let_statement(struct parser *p, uint32_t *ret) {
  bool has_in;
  return parse_let(p, ret) && parse_accept(p, "in", &has_in);
}

static bool parse_statement(struct parser *p, uint32_t *ret) {
  static const struct {
    const char *word;
    bool (*parse)(struct parser *, uint32_t *);
  } statements[] = {
      {"let", parse_let_statement},
      {"acyclic", parse_test},
      {"irreflexive", parse_test},
      {"empty", parse_test},
      {"flag", parse_test},
      {"assert", parse_test},
      {"undefined_unless", parse_test},
      {"~", parse_test},
      {"show", parse_show},
      {"unshow", parse_show},
      {"include", parse_include},
      {"with", parse_with},
      {"if", parse_if_statement},
      {"procedure", parse_procedure},
      {"call", parse_call},
      {"debug", parse_debug},
  };
  static const char *const unknown[] = {"enum", "instructions", "default",
                                        "forall", "match"};
  for (unsigned i = 0; i < LENGTH(statements); i++)
    if (parse_is_next(p, statements[i].word))
      return statements[i].parse(p, ret);
  for (unsigned i = 0; i < LENGTH(unknown); i++)
    if (parse_is_next(p, unknown[i])) {
      char quoted[40];
      snprintf(quoted, sizeof quoted, "'%s'", unknown[i]);
      return parse_refuse(p, parse_here(p), quoted);
    }
  parse_fail(p, "let, include or a test (acyclic, irreflexive, empty)");
  return false;
}

// statements = statement*, up to "end", "else" or the end
static bool parse_statements(struct parser *p, uint32_t *ret) {
  uint32_t last = 0;
  *ret = 0;
  if (!parse_enter(p))
    return false;
  while (p->next.kind != TOK_END && !parse_is_next(p, "end") &&
         !parse_is_next(p, "else")) {
    uint32_t s;
    if (!parse_statement(p, &s))
      return false;
    if (!s)
      continue;
    if (last)
      statement_at(p, last)->next = s;
    else
      *ret = s;
    last = s;
  }
  p->depth--;
  return true;
}

// A text may begin with what it calls itself: an architecture, a name, a
// string.
static bool parse_title(struct parser *p, struct str *title) {
  for (unsigned i = 0; i < 2; i++) {
    if (p->next.kind != TOK_NAME && p->next.kind != TOK_STRING)
      break;
    str_add(title, "%s%.*s", title->len ? " " : "", (int)p->next.len,
            p->next.at);
    if (!parse_advance(p))
      return false;
  }
  bool has_catdep;
  return parse_accept(p, "catdep", &has_catdep);
}

bool cat_parse(struct ast *t, const char *file, const char *text, size_t size,
               uint32_t *ret, struct str *title, struct diag *why) {
  struct parser p = {.tree = t, .why = why};
  p.file = strings_add(&t->names, file);
  lex_init(&p.lexer, strings_get(&t->names, p.file), text, size);
  if (!parse_advance(&p) || !parse_title(&p, title) ||
      !parse_statements(&p, ret))
    return false;
  return p.next.kind == TOK_END || parse_fail(&p, "let, include or a test");
}
