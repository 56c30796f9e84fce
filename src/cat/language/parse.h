// SPDX-License-Identifier: MIT
// What the two halves of the parser share: parse.c has the words and the
// expressions, parse_statement.c the statements.
#pragma once

#include "cat/language/ast.h"
#include "cat/language/lex.h"

struct parser {
  struct ast *tree;
  struct lexer lexer;
  struct token next;
  uint32_t file;  // name
  unsigned depth; // of nested expressions and statements
  struct diag *why;
};

struct cat_place parse_here(const struct parser *p);
bool parse_advance(struct parser *p);
bool parse_is_next(const struct parser *p, const char *word);
// The next word is not what is expected.
bool parse_fail(struct parser *p, const char *expected);
// A construct of cat that we do not have.
bool parse_refuse(struct parser *p, struct cat_place at, const char *what);
// Goes past `word` if it comes next: then *found.
bool parse_accept(struct parser *p, const char *word, bool *found);
bool parse_expect(struct parser *p, const char *word);
bool parse_name(struct parser *p, uint32_t *ret);
uint32_t parse_intern(struct parser *p, const struct token *t);
// One level deeper, if that is not too deep.
bool parse_enter(struct parser *p);

bool parse_expr(struct parser *p, uint32_t *ret);
bool parse_primary(struct parser *p, uint32_t *ret);
bool parse_condition(struct parser *p, uint32_t *ret);
bool parse_let(struct parser *p, uint32_t *ret);
