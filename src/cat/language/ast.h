// SPDX-License-Identifier: MIT
// A cat text as a tree. Everything is named by its number in an array, 0 is
// nothing; lists are chained by `next`.
#pragma once

#include "base/array.h"
#include "base/diag.h"
#include "base/str.h"

struct cat_place {
  uint32_t file; // in the names of the tree
  uint32_t line, column;
};

enum expr_kind {
  EX_NONE,
  EX_NAME,     // name
  EX_EMPTY,    // 0
  EX_UNIVERSE, // _
  EX_UNION,    // a | b
  EX_INTERSECTION,
  EX_DIFFERENCE,
  EX_SEQUENCE,
  EX_PRODUCT, // a * b
  EX_INVERSE,
  EX_OPTIONAL,
  EX_PLUS,
  EX_STAR,
  EX_COMPLEMENT,
  EX_IDENTITY, // [a]
  EX_APPLY,    // a b: a function and its argument
  EX_TUPLE,    // a, and the rest in b (another EX_TUPLE, or 0)
  EX_LET,      // the bindings of statement a, in b
  EX_TRY,      // try a with b
  EX_IF,       // if condition (name) then a else b
  EX_VARIANT,  // "name", a condition
  EX_NOT,      // of conditions
  EX_AND,
  EX_OR,
};

struct expr {
  uint32_t kind; // enum expr_kind
  struct cat_place at;
  uint32_t name; // in the names; of EX_IF: the condition, an expr
  uint32_t a, b; // exprs
};

struct parameter {
  uint32_t name, next;
};

struct binding {
  struct cat_place at;
  uint32_t name;
  bool is_function;
  uint32_t parameters; // first parameter
  uint32_t body;       // expr
  uint32_t next;       // binding
};

enum statement_kind {
  ST_NONE,
  ST_LET,       // bindings
  ST_REC,       // the same, recursive
  ST_TEST,      // test, mode, is_negated, a, name
  ST_INCLUDE,   // name is the file
  ST_GIVEN,     // with name from ...: it is given
  ST_IF,        // condition a, then body, else other
  ST_PROCEDURE, // binding, body
  ST_CALL,      // name, argument a
};

enum test { TEST_ACYCLIC, TEST_IRREFLEXIVE, TEST_EMPTY };

extern const char *const test_words[TEST_EMPTY + 1]; // "acyclic", ...
enum test_mode { MODE_CHECK, MODE_FLAG, MODE_UNDEFINED_UNLESS };

struct statement {
  uint32_t kind; // enum statement_kind
  struct cat_place at;
  uint8_t test, mode;
  bool is_negated;
  uint32_t name;
  uint32_t binding;     // first
  uint32_t a;           // expr
  uint32_t body, other; // first statements
  uint32_t next;        // statement
};

struct ast {
  struct strings names;
  ARRAY(struct expr) exprs;
  ARRAY(struct parameter) parameters;
  ARRAY(struct binding) bindings;
  ARRAY(struct statement) statements;
};

void ast_init(struct ast *t);
void ast_done(struct ast *t);

// Reads a text; `ret` is its first statement (0: it has none) and `title` what
// it calls itself ("" if nothing).
MUST_USE bool cat_parse(struct ast *t, const char *file, const char *text,
                        size_t size, uint32_t *ret, struct str *title,
                        struct diag *why);

// Sets `why` to a message about a place, and is false.
bool cat_fail(const struct ast *t, struct cat_place at, struct diag *why,
              const char *fmt, ...) PRINTF_LIKE(4, 5);
