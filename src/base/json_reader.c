// SPDX-License-Identifier: MIT
// A reader by recursive descent, as RFC 8259 has it: nothing more is accepted,
// and nothing nests deeper than MOST_DEPTH, so bad input cannot end the stack.
#include "base/json_reader.h"

#include "base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 200 };

struct reader {
  const char *start, *at, *end;
  unsigned depth;
  struct diag *why;
};

static bool fail(struct reader *r, const char *expected) {
  unsigned line = 1, column = 1;
  for (const char *p = r->start; p < r->at; p++) {
    column = *p == '\n' ? 1 : column + 1;
    line += *p == '\n';
  }
  diag_set(r->why, NULL, line, "this is no JSON: expected %s", expected);
  r->why->column = column;
  return false;
}

static void skip_blanks(struct reader *r) {
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
    r->at++;
}

// The next character if it is this one.
static bool take(struct reader *r, char c) {
  bool is_next = r->at < r->end && *r->at == c;
  r->at += is_next;
  return is_next;
}

static bool take_word(struct reader *r, const char *word) {
  size_t n = strlen(word);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
    return false;
  r->at += n;
  return true;
}

// -- strings

static bool take_hex(struct reader *r, unsigned *ret) {
  *ret = 0;
  for (int i = 0; i < 4; i++) {
    char c = r->at < r->end ? *r->at : 0;
    const char *digits = "0123456789abcdef";
    const char *found =
        c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    if (!found)
      return fail(r, "four hexadecimal digits");
    *ret = *ret * 16 + (unsigned)(found - digits);
    r->at++;
  }
  return true;
}

static void add_utf8(struct str *out, unsigned c) {
  char b[4];
  if (c < 0x80) {
    b[0] = (char)c;
    str_add_bytes(out, b, 1);
  } else if (c < 0x800) {
    b[0] = (char)(0xc0 | c >> 6);
    b[1] = (char)(0x80 | (c & 0x3f));
    str_add_bytes(out, b, 2);
  } else if (c < 0x10000) {
    b[0] = (char)(0xe0 | c >> 12);
    b[1] = (char)(0x80 | (c >> 6 & 0x3f));
    b[2] = (char)(0x80 | (c & 0x3f));
    str_add_bytes(out, b, 3);
  } else {
    b[0] = (char)(0xf0 | c >> 18);
    b[1] = (char)(0x80 | (c >> 12 & 0x3f));
    b[2] = (char)(0x80 | (c >> 6 & 0x3f));
    b[3] = (char)(0x80 | (c & 0x3f));
    str_add_bytes(out, b, 4);
  }
}

// What follows \u. Two surrogates are one character; one alone is none.
static bool take_unicode(struct reader *r, struct str *out) {
  enum { NONE = 0xfffd };
  unsigned c, low = 0;
  if (!take_hex(r, &c))
    return false;
  if (c >= 0xd800 && c < 0xdc00 && take_word(r, "\\u")) {
    if (!take_hex(r, &low))
      return false;
    bool is_pair = low >= 0xdc00 && low < 0xe000;
    c = is_pair ? 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00) : NONE;
  }
  add_utf8(out, c == 0 || (c >= 0xd800 && c < 0xe000) ? NONE : c);
  return true;
}

static bool take_escape(struct reader *r, struct str *out) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  char c = r->at < r->end ? *r->at++ : 0;
  const char *found = c ? strchr(names, c) : NULL;
  if (found) {
    str_add_bytes(out, &values[found - names], 1);
    return true;
  }
  return c == 'u' ? take_unicode(r, out) : fail(r, "an escape such as \\n");
}

static bool read_string(struct reader *r, char **ret) {
  struct str text = {0};
  if (!take(r, '"'))
    return fail(r, "a string");
  str_add(&text, "%s", "");
  bool ok = true;
  while (ok && !take(r, '"')) {
    if (r->at == r->end || (unsigned char)*r->at < ' ')
      ok = fail(r, "the end of a string");
    else if (take(r, '\\'))
      ok = take_escape(r, &text);
    else
      str_add_bytes(&text, r->at++, 1);
  }
  if (ok)
    *ret = text.at;
  else
    str_done(&text);
  return ok;
}

// -- values

static bool read_value(struct reader *r, struct json_value *ret);

static size_t take_digits(struct reader *r) {
  const char *from = r->at;
  while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
    r->at++;
  return (size_t)(r->at - from);
}

static bool read_number(struct reader *r, struct json_value *ret) {
  const char *from = r->at;
  take(r, '-');
  bool is_zero = r->at < r->end && *r->at == '0';
  size_t digits = take_digits(r);
  bool ok = digits && !(is_zero && digits > 1);
  if (ok && take(r, '.'))
    ok = take_digits(r);
  if (ok && (take(r, 'e') || take(r, 'E'))) {
    if (!take(r, '+'))
      take(r, '-');
    ok = take_digits(r);
  }
  if (!ok)
    return fail(r, "a value");
  struct str text = {0};
  str_add_bytes(&text, from, (size_t)(r->at - from));
  ret->kind = JSON_NUMBER;
  ret->number = strtod(text.at, NULL);
  str_done(&text);
  return true;
}

static struct json_value *add_item(struct json_value *v, char *name) {
  if (v->count == v->cap) {
    v->cap = v->cap ? 2 * v->cap : 4;
    v->items = xrealloc(v->items, v->cap * sizeof *v->items);
    v->names = xrealloc(v->names, v->cap * sizeof *v->names);
  }
  v->names[v->count] = name;
  v->items[v->count] = (struct json_value){0};
  return &v->items[v->count++];
}

static bool read_items(struct reader *r, struct json_value *ret, char close) {
  bool is_object = ret->kind == JSON_OBJECT;
  skip_blanks(r);
  if (take(r, close))
    return true;
  for (;;) {
    char *name = NULL;
    skip_blanks(r);
    if (is_object && !read_string(r, &name))
      return false;
    struct json_value *item = add_item(ret, name);
    skip_blanks(r);
    if (is_object && !take(r, ':'))
      return fail(r, "a colon");
    if (!read_value(r, item))
      return false;
    skip_blanks(r);
    if (take(r, close))
      return true;
    if (!take(r, ','))
      return fail(r, is_object ? "a comma or }" : "a comma or ]");
  }
}

static bool read_nested(struct reader *r, struct json_value *ret) {
  if (++r->depth > MOST_DEPTH)
    return fail(r, "less nesting");
  bool is_object = *r->at++ == '{';
  ret->kind = is_object ? JSON_OBJECT : JSON_ARRAY;
  bool ok = read_items(r, ret, is_object ? '}' : ']');
  r->depth--;
  return ok;
}

static bool read_value(struct reader *r, struct json_value *ret) {
  skip_blanks(r);
  char c = r->at < r->end ? *r->at : 0;
  if (c == '{' || c == '[')
    return read_nested(r, ret);
  if (c == '"') {
    ret->kind = JSON_STRING;
    return read_string(r, &ret->text);
  }
  if (take_word(r, "null"))
    return true;
  ret->kind = JSON_BOOL;
  ret->truth = take_word(r, "true");
  return ret->truth || take_word(r, "false") || read_number(r, ret);
}

static void value_done(struct json_value *v) {
  for (uint32_t i = 0; i < v->count; i++) {
    free(v->names[i]);
    value_done(&v->items[i]);
  }
  free(v->names);
  free(v->items);
  free(v->text);
}

struct json_value *json_read(const char *text, size_t len, struct diag *why) {
  struct reader r = {.start = text, .at = text, .end = text + len, .why = why};
  struct json_value *v = xcalloc(1, sizeof *v);
  bool ok = read_value(&r, v);
  skip_blanks(&r);
  if (ok && r.at != r.end)
    ok = fail(&r, "the end");
  if (ok)
    return v;
  json_free(v);
  return NULL;
}

void json_free(struct json_value *v) {
  if (v)
    value_done(v);
  free(v);
}

const struct json_value *json_member(const struct json_value *v,
                                     const char *name) {
  if (v && v->kind == JSON_OBJECT)
    for (uint32_t i = v->count; i-- > 0;)
      if (strcmp(v->names[i], name) == 0)
        return &v->items[i];
  return NULL;
}

const char *json_string(const struct json_value *v, const char *name) {
  const struct json_value *m = json_member(v, name);
  return m && m->kind == JSON_STRING ? m->text : NULL;
}

int64_t json_whole(const struct json_value *v, const char *name,
                   int64_t otherwise) {
  const struct json_value *m = json_member(v, name);
  if (!m || m->kind != JSON_NUMBER || floor(m->number) != m->number ||
      fabs(m->number) > 9e15)
    return otherwise;
  return (int64_t)m->number;
}
