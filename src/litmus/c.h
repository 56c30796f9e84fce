// SPDX-License-Identifier: MIT
// Bodies of C: c_body.c reads statements and expressions and emits code at
// once; c_call.c and java.c know the functions that a test may call.
#pragma once

#include "litmus/build.h"

enum { MAX_CALL_ARGS = 5 };

struct c_body {
  struct build *l;
  const struct token *at; // what comes next; the last one is TOK_END
  unsigned depth;         // of nested expressions and statements
  unsigned orders;        // expressions that are there in several orders
  bool points; // the expression that was read last is the address of a location
               // or computed from one. (Variables say nothing by their types,
               // in which many tests are careless.)
};

bool c_refuse(struct c_body *c, const char *expected);
const struct token *c_take(struct c_body *c);
bool c_accept(struct c_body *c, const char *text);
bool c_expect(struct c_body *c, const char *text);
// An expression; *ret is a slot.
bool c_expression(struct c_body *c, unsigned *ret);
// An expression that names a location, `*x` or `x`: *ret is its address.
bool c_lvalue(struct c_body *c, unsigned *ret);
// The slot of a local variable; false: the name is none.
bool c_variable(struct c_body *c, const struct token *name, unsigned *ret);

// If `name`, just read, is a function: reads its arguments, emits the call and
// sets *is_call.
bool c_call(struct c_body *c, const struct token *name, bool *is_call,
            unsigned *ret);
// The same of Java, where names have the handle in them: X.getOpaque.
bool java_call(struct c_body *c, const struct token *name, bool *is_call,
               unsigned *ret);

// A non-atomic access: cells are 8 bytes, whatever the type.
static const struct access_how c_plain = {.size = 8, .order = ORD_NA};
