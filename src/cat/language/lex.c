// SPDX-License-Identifier: MIT
// One token at a time, with the line and column that errors name.
#include "cat/language/lex.h"

#include "base/array.h"

#include <ctype.h>
#include <string.h>

static const char *const keywords[] = {
    "acyclic",
    "and",
    "as",
    "assert",
    "begin",
    "call",
    "catdep",
    "debug",
    "default",
    "do",
    "else",
    "empty",
    "end",
    "enum",
    "flag",
    "forall",
    "from",
    "fun",
    "if",
    "in",
    "include",
    "instructions",
    "irreflexive",
    "let",
    "match",
    "procedure",
    "rec",
    "show",
    "then",
    "try",
    "undefined_unless",
    "unshow",
    "when",
    "with",
};

// Longer ones first.
static const char *const signs[] = {
    "^-1", "++", "->", "||", "&&", "(", ")", "[", "]", "{", "}", ",",
    "|",   "&",  ";",  "\\", "~",  "*", "+", "?", "=", "0", "_", "<"};

void lex_init(struct lexer *l, const char *file, const char *text,
              size_t size) {
  *l = (struct lexer){.file = file,
                      .at = text,
                      .end = text + size,
                      .line = 1,
                      .line_start = text};
}

// An error at a place of the text, whose message is set already.
static bool fail_at(struct diag *why, uint32_t column) {
  why->column = column;
  return false;
}

static uint32_t column_of(const struct lexer *l, const char *at) {
  return (uint32_t)(at - l->line_start) + 1;
}

static bool starts(const struct lexer *l, const char *word) {
  size_t n = strlen(word);
  return (size_t)(l->end - l->at) >= n && memcmp(l->at, word, n) == 0;
}

static void step(struct lexer *l) {
  if (*l->at++ == '\n') {
    l->line++;
    l->line_start = l->at;
  }
}

// Past a comment, in which others may be nested.
static bool skip_comment(struct lexer *l, struct diag *why) {
  uint32_t line = l->line, column = column_of(l, l->at), depth = 0;
  do {
    if (starts(l, "(*")) {
      depth++;
      l->at += 2;
    } else if (starts(l, "*)")) {
      depth--;
      l->at += 2;
    } else if (l->at == l->end) {
      diag_set(why, l->file, line, "this comment has no end");
      diag_hint(why, "comments '(* ... *)' nest: each '(*' needs its '*)'");
      return fail_at(why, column);
    } else {
      step(l);
    }
  } while (depth);
  return true;
}

// Past spaces and comments.
static bool skip(struct lexer *l, struct diag *why) {
  while (l->at < l->end) {
    if (isspace((unsigned char)*l->at)) {
      step(l);
    } else if (starts(l, "(*")) {
      if (!skip_comment(l, why))
        return false;
    } else if (starts(l, "//") || *l->at == '#') {
      while (l->at < l->end && *l->at != '\n')
        l->at++;
    } else {
      break;
    }
  }
  return true;
}

// A name: _?[A-Za-z][A-Za-z0-9_.-]*'?
static uint32_t name_length(const struct lexer *l) {
  const char *s = l->at;
  if (s < l->end && *s == '_')
    s++;
  if (s == l->end || !isalpha((unsigned char)*s))
    return 0;
  while (s < l->end &&
         (isalnum((unsigned char)*s) || (*s && strchr("_.-", *s))))
    s++;
  if (s < l->end && *s == '\'')
    s++;
  return (uint32_t)(s - l->at);
}

static bool is_keyword(const struct token *t) {
  for (unsigned i = 0; i < LENGTH(keywords); i++)
    if (token_is(t, keywords[i]))
      return true;
  return false;
}

static bool lex_string(struct lexer *l, struct token *t, struct diag *why) {
  const char *close = memchr(l->at + 1, '"', (size_t)(l->end - l->at) - 1);
  const char *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
  if (!close || (newline && newline < close)) {
    diag_set(why, l->file, l->line, "this string has no end");
    diag_hint(why, "strings stand between two '\"' in one line");
    return fail_at(why, t->column);
  }
  t->kind = TOK_STRING;
  t->at = l->at + 1;
  t->len = (uint32_t)(close - t->at);
  l->at = close + 1;
  return true;
}

static bool unknown_character(const struct lexer *l, const struct token *t,
                              struct diag *why) {
  unsigned char c = (unsigned char)*l->at;
  if (isprint(c))
    diag_set(why, l->file, l->line, "'%c' means nothing in cat", c);
  else
    diag_set(why, l->file, l->line, "a byte 0x%02x, which is no text", c);
  diag_hint(why, "a model consists of `let name = ...` and of axioms such as "
                 "`acyclic po | rf as name`");
  return fail_at(why, t->column);
}

bool lex_next(struct lexer *l, struct token *ret, struct diag *why) {
  if (!skip(l, why))
    return false;
  struct token t = {.kind = TOK_END,
                    .at = l->at,
                    .line = l->line,
                    .column = column_of(l, l->at)};
  if (l->at == l->end) {
    *ret = t;
    return true;
  }
  if (*l->at == '"') {
    if (!lex_string(l, &t, why))
      return false;
    *ret = t;
    return true;
  }
  t.len = name_length(l);
  if (t.len) {
    t.kind = is_keyword(&t) ? TOK_KEYWORD : TOK_NAME;
  } else if (*l->at == '\'') {
    l->at++;
    t.kind = TOK_TAG;
    t.at = l->at;
    t.len = name_length(l);
    if (!t.len) {
      l->at--;
      return unknown_character(l, &t, why);
    }
  } else {
    t.kind = TOK_SIGN;
    for (unsigned i = 0; !t.len && i < LENGTH(signs); i++)
      if (starts(l, signs[i]))
        t.len = (uint32_t)strlen(signs[i]);
    if (!t.len)
      return unknown_character(l, &t, why);
  }
  l->at += t.len;
  *ret = t;
  return true;
}

bool token_is(const struct token *t, const char *word) {
  // Mostly the first letter says no.
  return *t->at == *word && strncmp(t->at, word, t->len) == 0 && !word[t->len];
}
