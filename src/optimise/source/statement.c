// SPDX-License-Identifier: MIT
// Where a statement begins in a text of C, so that another one can be put
// before it. The text is read from its beginning: comments, strings and
// directives are left out, braces are blocks or lists, and a `while` may be the
// end of a `do`. When in doubt, no statement begins.
#include "optimise/source/source.h"

#include <ctype.h>
#include <string.h>

enum { MAX_BRACES = 64, MAX_DOS = 32 };

struct scan {
  const struct str *s;
  uint32_t at, word; // word: where the newest one begins
  char last;         // the newest character that counts
  unsigned parens, braces, dos;
  bool has_header; // the newest parentheses belong to a word, as in `if (x)`
  bool is_list[MAX_BRACES]; // by brace: of values or members, not a block
  unsigned do_braces[MAX_DOS];
  bool returns; // somewhere in this function
  bool is_lost; // too deep
};

static bool is_word_at(const struct str *s, uint32_t at, const char *word) {
  size_t n = strlen(word);
  return at + n <= s->len && memcmp(s->at + at, word, n) == 0 &&
         (at + n == s->len || !source_is_word(s->at[at + n]));
}

static bool ends_do(const struct scan *c) {
  return c->dos && c->do_braces[c->dos - 1] == c->braces &&
         strchr(";}", c->last);
}

static void scan_word(struct scan *c) {
  c->word = c->at;
  if (is_word_at(c->s, c->at, "do")) {
    c->is_lost |= c->dos == MAX_DOS;
    if (!c->is_lost)
      c->do_braces[c->dos++] = c->braces;
  } else if (is_word_at(c->s, c->at, "while") && ends_do(c)) {
    c->dos--;
  }
  c->returns |= is_word_at(c->s, c->at, "return");
  while (c->at + 1 < c->s->len && source_is_word(c->s->at[c->at + 1]))
    c->at++;
}

static void open_brace(struct scan *c) {
  c->is_lost |= c->braces == MAX_BRACES;
  if (c->is_lost)
    return;
  c->returns &= c->braces != 0;
  bool is_inside = c->braces && c->is_list[c->braces - 1];
  bool is_block =
      c->last == ')' ? c->has_header
      : source_is_word(c->last)
          ? is_word_at(c->s, c->word, "else") || is_word_at(c->s, c->word, "do")
          : c->last && strchr(";{}:", c->last);
  c->is_list[c->braces++] = is_inside || c->parens || !is_block;
}

static void close_brace(struct scan *c) {
  while (c->dos && c->do_braces[c->dos - 1] >= c->braces)
    c->dos--; // what was open in the block
  if (c->braces)
    c->braces--;
}

static void scan_character(struct scan *c) {
  char now = c->s->at[c->at];
  if (source_is_word(now))
    scan_word(c);
  if (now == '(' && c->parens++ == 0)
    c->has_header =
        source_is_word(c->last) && !is_word_at(c->s, c->word, "return");
  c->parens -= now == ')' && c->parens;
  if (now == '{')
    open_brace(c);
  else if (now == '}')
    close_brace(c);
  c->last = now;
}

static bool is_comment(const struct str *s, uint32_t at) {
  return s->at[at] == '/' && at + 1 < s->len &&
         (s->at[at + 1] == '/' || s->at[at + 1] == '*');
}

// Past a directive, with the lines that belong to it.
static uint32_t skip_directive(const struct str *s, uint32_t at) {
  while (at < s->len && (s->at[at] != '\n' || s->at[at - 1] == '\\'))
    at++;
  return at;
}

static bool begins_line(const struct str *s, uint32_t at) {
  while (at && (s->at[at - 1] == ' ' || s->at[at - 1] == '\t'))
    at--;
  return !at || s->at[at - 1] == '\n';
}

// Reads up to `end`; false if that is inside of a comment or the like.
static bool scan_to(struct scan *c, uint32_t end) {
  const struct str *s = c->s;
  while (c->at < end) {
    char now = s->at[c->at];
    if (now == '#' && begins_line(s, c->at)) {
      c->at = skip_directive(s, c->at);
    } else if (now == '"' || now == '\'' || is_comment(s, c->at)) {
      c->last = is_comment(s, c->at) ? c->last : now;
      c->at = source_skip(s, c->at);
    } else {
      if (!isspace((unsigned char)now))
        scan_character(c);
      c->at++;
    }
  }
  return c->at == end && !c->is_lost;
}

// A label, or a `case`: what follows it begins after the colon.
static bool is_label(const struct str *s, uint32_t at) {
  if (is_word_at(s, at, "case") || is_word_at(s, at, "default"))
    return true;
  while (at < s->len && source_is_word(s->at[at]))
    at++;
  while (at < s->len && s->at[at] == ' ')
    at++;
  return at < s->len && s->at[at] == ':';
}

enum line_start source_statement(const struct str *s, unsigned line) {
  struct scan c = {.s = s};
  uint32_t start = source_offset(s, line, 1);
  while (start < s->len && (s->at[start] == ' ' || s->at[start] == '\t'))
    start++;
  if (start >= s->len || !scan_to(&c, start) || c.parens || !c.braces ||
      c.is_list[c.braces - 1] || !c.last || !strchr(";{}", c.last))
    return LINE_OTHER;
  if (s->at[start] == '}')
    return c.braces > 1 ? LINE_OTHER : c.returns ? LINE_END : LINE_STATEMENT;
  return !strchr("#{\n", s->at[start]) && !is_comment(s, start) &&
                 !is_word_at(s, start, "else") && !is_label(s, start) &&
                 !(is_word_at(s, start, "while") && ends_do(&c))
             ? LINE_STATEMENT
             : LINE_OTHER;
}
