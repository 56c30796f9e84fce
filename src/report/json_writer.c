// SPDX-License-Identifier: MIT
#include "report/json_writer.h"

#include <string.h>

// How many bytes the UTF-8 sequence at `p` has; 0 when it is not valid (cut
// short, too long for its value, a surrogate, or beyond U+10FFFF).
static unsigned utf8_length(const unsigned char *p) {
  static const struct {
    unsigned char mask, lead;
    uint32_t least;
  } form[] = {
      {0x80, 0x00, 0},
      {0xe0, 0xc0, 0x80},
      {0xf0, 0xe0, 0x800},
      {0xf8, 0xf0, 0x10000},
  };
  for (unsigned more = 0; more < 4; more++) {
    if ((p[0] & form[more].mask) != form[more].lead)
      continue;
    uint32_t c = p[0] & (unsigned char)~form[more].mask;
    for (unsigned i = 1; i <= more; i++) {
      if ((p[i] & 0xc0) != 0x80)
        return 0;
      c = c << 6 | (p[i] & 0x3f);
    }
    bool is_bad =
        c < form[more].least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff);
    return is_bad ? 0 : more + 1;
  }
  return 0;
}

static void add_quoted(struct str *out, const char *text) {
  str_add(out, "\"");
  for (const unsigned char *p = (const unsigned char *)text; *p;) {
    unsigned len = utf8_length(p);
    if (len == 0)
      str_add(out, "\\ufffd");
    else if (*p == '"' || *p == '\\')
      str_add(out, "\\%c", *p);
    else if (*p == '\n')
      str_add(out, "\\n");
    else if (*p < 32 || *p == 127)
      str_add(out, "\\u%04x", *p);
    else
      str_add_bytes(out, (const char *)p, len);
    p += len ? len : 1;
  }
  str_add(out, "\"");
}

// A long array stays readable with one item of the outer levels a line.
static void begin_item(struct json *j, const char *name) {
  enum { LINE_DEPTH = 2 };
  if (j->has_items[j->depth])
    str_add(j->out, ",");
  if (j->depth && j->depth <= LINE_DEPTH)
    str_add(j->out, "\n%*s", (int)j->depth * 2, "");
  else if (j->has_items[j->depth])
    str_add(j->out, " ");
  j->has_items[j->depth] = true;
  if (name) {
    add_quoted(j->out, name);
    str_add(j->out, ": ");
  }
}

void json_open(struct json *j, const char *name, char bracket) {
  begin_item(j, name);
  str_add_bytes(j->out, &bracket, 1);
  j->depth++;
  check(j->depth < sizeof j->has_items / sizeof *j->has_items);
  j->has_items[j->depth] = false;
}

void json_close(struct json *j, char bracket) {
  check(j->depth > 0);
  j->depth--;
  if (j->depth < 2 && j->has_items[j->depth + 1])
    str_add(j->out, "\n%*s", (int)j->depth * 2, "");
  str_add_bytes(j->out, &bracket, 1);
}

void json_text(struct json *j, const char *name, const char *value) {
  begin_item(j, name);
  add_quoted(j->out, value);
}

void json_number(struct json *j, const char *name, uint64_t value) {
  begin_item(j, name);
  str_add(j->out, "%llu", (unsigned long long)value);
}

void json_seconds(struct json *j, const char *name, double value) {
  begin_item(j, name);
  str_add(j->out, "%.6f", value);
}

void json_bool(struct json *j, const char *name, bool value) {
  begin_item(j, name);
  str_add(j->out, value ? "true" : "false");
}

void json_null(struct json *j, const char *name) {
  begin_item(j, name);
  str_add(j->out, "null");
}
