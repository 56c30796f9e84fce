// SPDX-License-Identifier: MIT
// A token keeps its line and column; bodies of C switch to C's comments.
#include "litmus/scan.h"

#include "base/array.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool has(const struct scan *s, const char *text) {
  size_t n = strlen(text);
  return (size_t)(s->end - s->at) >= n && memcmp(s->at, text, n) == 0;
}

static void step(struct scan *s) {
  s->line += *s->at++ == '\n';
}

// (* ... (* ... *) ... *); one that is not closed goes to the end.
static void skip_nested(struct scan *s) {
  unsigned depth = 0;
  while (s->at < s->end) {
    if (has(s, "(*")) {
      depth++;
      s->at += 2;
    } else if (has(s, "*)")) {
      s->at += 2;
      if (--depth == 0)
        return;
    } else {
      step(s);
    }
  }
}

static void skip_to(struct scan *s, const char *end) {
  while (s->at < s->end && !has(s, end))
    step(s);
  for (size_t n = strlen(end); n && s->at < s->end; n--)
    step(s);
}

static void skip_blanks(struct scan *s) {
  while (s->at < s->end) {
    if (isspace((unsigned char)*s->at) || !*s->at)
      step(s);
    else if (!s->is_c && has(s, "(*"))
      skip_nested(s);
    else if (has(s, "//") && s->is_c)
      skip_to(s, "\n");
    else if (has(s, "/*") && s->is_c)
      skip_to(s, "*/");
    else
      return;
  }
}

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' ||
         c == '%';
}

// The operators of more than one character; longer ones first.
static uint32_t operator_length(const struct scan *s) {
  static const char *const operators[] = {"/\\", "\\/", "=>", "==", "!=", "<>",
                                          "<=",  ">=",  "<<", ">>", "&&", "||",
                                          "->",  "++",  "--", "+=", "-="};
  if (has(s, "|=")) // of BPF; elsewhere nothing begins with '='
    return 2;
  for (unsigned i = 0; i < LENGTH(operators); i++)
    if (has(s, operators[i]) && (s->is_c || operators[i][0] != '|'))
      return 2;
  return 1;
}

// One that is not closed ends with its line.
static void read_string(struct scan *s, struct token *t) {
  t->kind = TOK_STRING;
  t->at = ++s->at;
  size_t rest = (size_t)(s->end - s->at);
  bool is_closed = rest && memchr(s->at, '"', rest);
  while (s->at < s->end && *s->at != '"' && (is_closed || *s->at != '\n'))
    step(s);
  t->len = (uint32_t)(s->at - t->at);
  if (s->at < s->end)
    s->at++;
}

static void read_next(struct scan *s) {
  skip_blanks(s);
  struct token t = {.at = s->at, .line = s->line};
  if (s->at == s->end) {
    t.kind = TOK_END;
  } else if (*s->at == '"') {
    read_string(s, &t);
  } else if (isdigit((unsigned char)*s->at)) {
    t.kind = TOK_NUMBER;
    while (s->at < s->end && isalnum((unsigned char)*s->at))
      s->at++;
    t.len = (uint32_t)(s->at - t.at);
  } else if (is_name(*s->at)) {
    t.kind = TOK_NAME;
    while (s->at < s->end && is_name(*s->at))
      s->at++;
    t.len = (uint32_t)(s->at - t.at);
  } else {
    t.kind = TOK_PUNCT;
    t.len = operator_length(s);
    s->at += t.len;
  }
  s->next = t;
}

void scan_init(struct scan *s, const char *file, const char *text, size_t len) {
  *s = (struct scan){.file = file, .at = text, .end = text + len, .line = 1};
  read_next(s);
}

struct token scan_take(struct scan *s) {
  struct token t = s->next;
  read_next(s);
  return t;
}

void scan_jump(struct scan *s, const char *at, unsigned line) {
  s->at = at;
  s->line = line;
  read_next(s);
}

void scan_set_c(struct scan *s, bool is_c) {
  s->is_c = is_c;
  scan_jump(s, s->next.at, s->next.line);
}

bool scan_is(const struct token *t, const char *text) {
  return (t->kind == TOK_NAME || t->kind == TOK_PUNCT) &&
         strlen(text) == t->len && memcmp(t->at, text, t->len) == 0;
}

bool scan_is_nocase(const struct token *t, const char *text) {
  return (t->kind == TOK_NAME || t->kind == TOK_PUNCT) &&
         strlen(text) == t->len && strncasecmp(t->at, text, t->len) == 0;
}

void scan_copy(const struct token *t, char *out, size_t size) {
  size_t n = t->len < size ? t->len : size - 1;
  memcpy(out, t->at, n);
  out[n] = 0;
}

bool scan_number(const struct token *t, uint64_t *ret) {
  char text[32], *end;
  if (t->len >= sizeof text)
    return false;
  scan_copy(t, text, sizeof text);
  errno = 0;
  bool is_hex = strncasecmp(text, "0x", 2) == 0;
  *ret = strtoull(text, &end, is_hex ? 16 : 10);
  // The suffixes of C say nothing here.
  while (*end && strchr("uUlL", *end))
    end++;
  return !errno && !*end;
}

bool scan_accept(struct scan *s, const char *text) {
  if (!scan_is(&s->next, text))
    return false;
  read_next(s);
  return true;
}

bool scan_refuse(const struct scan *s, const struct token *t,
                 const char *expected, struct diag *why) {
  char text[64];
  scan_copy(t, text, sizeof text);
  return t->kind == TOK_END
             ? diag_set(why, s->file, t->line, "%s expected, but the %s ends",
                        expected, s->at == s->end ? "file" : "instruction")
             : diag_set(why, s->file, t->line, "%s expected, not '%s'",
                        expected, text);
}

bool scan_expect(struct scan *s, const char *text, struct diag *why) {
  char expected[32] = "'";
  if (scan_accept(s, text))
    return true;
  strncat(expected, text, sizeof expected - 3);
  strcat(expected, "'");
  return scan_refuse(s, &s->next, expected, why);
}
