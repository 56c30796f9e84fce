// SPDX-License-Identifier: MIT
// The words of the cat language. Names may contain '-' and '.', so `po-loc` and
// `DMB.ST` are one word each.
#pragma once

#include "base/diag.h"

#include <stdint.h>

enum token_kind {
  TOK_END,
  TOK_NAME,    // a name that is no keyword
  TOK_KEYWORD, // let, acyclic, ...
  TOK_STRING,  // "...", without the quotes
  TOK_TAG,     // 'name, without the quote
  TOK_SIGN,    // | ; & and the like
};

struct token {
  enum token_kind kind;
  const char *at; // in the text
  uint32_t len;
  uint32_t line, column; // from 1
};

struct lexer {
  const char *file, *at, *end;
  uint32_t line;
  const char *line_start;
};

void lex_init(struct lexer *l, const char *file, const char *text, size_t size);
// The next word. False: there is none that cat knows, `why` says what is there.
MUST_USE bool lex_next(struct lexer *l, struct token *ret, struct diag *why);

bool token_is(const struct token *t, const char *word);
