// SPDX-License-Identifier: MIT
// The text of a litmus test as tokens. Two kinds of comments: `(* *)`, which
// nest, and in bodies of C those of C, where `(*` begins an expression.
#pragma once

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

enum token_kind {
  TOK_END,    // of the text, or of an instruction
  TOK_NAME,   // letters, digits and _ . $ %, no digit first
  TOK_NUMBER, // 12, 0x1f; without a sign
  TOK_STRING, // without its quotes
  TOK_PUNCT,  // one character, or one of the operators in scan.c
};

struct token {
  enum token_kind kind;
  const char *at;
  uint32_t len;
  unsigned line;
};

struct scan {
  const char *file;
  const char *at, *end;
  unsigned line;
  bool is_c;         // comments are those of C
  struct token next; // what comes next
};

void scan_init(struct scan *s, const char *file, const char *text, size_t len);
// Reads on; yields the token that was next.
struct token scan_take(struct scan *s);
// Reads on from there, in line `line`.
void scan_jump(struct scan *s, const char *at, unsigned line);
// Comments are those of C from here on, or no longer.
void scan_set_c(struct scan *s, bool is_c);

bool scan_is(const struct token *t, const char *text);
// The same, upper and lower case alike.
bool scan_is_nocase(const struct token *t, const char *text);
// The value of a number; false: it does not fit into 64 bits.
bool scan_number(const struct token *t, uint64_t *ret);
// Copies the text, cut if need be.
void scan_copy(const struct token *t, char *out, size_t size);

// If `text` is next, takes it.
bool scan_accept(struct scan *s, const char *text);
bool scan_expect(struct scan *s, const char *text, struct diag *why);
// Says what was expected instead of `t`.
bool scan_refuse(const struct scan *s, const struct token *t,
                 const char *expected, struct diag *why);
