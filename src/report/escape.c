// SPDX-License-Identifier: MIT
// One loop per language over the bytes; invalid UTF-8 is replaced on the way.
#include "report/escape.h"

#include <ctype.h>
#include <string.h>

unsigned utf8_length(const char *text) {
  static const struct {
    unsigned char mask, lead;
    uint32_t least;
  } form[] = {
      {0x80, 0x00, 0},
      {0xe0, 0xc0, 0x80},
      {0xf0, 0xe0, 0x800},
      {0xf8, 0xf0, 0x10000},
  };
  const unsigned char *p = (const unsigned char *)text;
  for (unsigned more = 0; more < 4; more++) {
    if ((p[0] & form[more].mask) != form[more].lead)
      continue;
    uint32_t c = p[0] & (unsigned char)~form[more].mask;
    for (unsigned i = 1; i <= more; i++) {
      if ((p[i] & 0xc0) != 0x80)
        return 0;
      c = c << 6 | (p[i] & 0x3f);
    }
    // Too long for its value, beyond U+10FFFF, a surrogate.
    bool is_bad =
        c < form[more].least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff);
    return is_bad ? 0 : more + 1;
  }
  return 0;
}

// Copies a text. `special` writes the characters that stand for something else
// (false: this one does not), `invalid` stands for bytes that are none.
static void copy(const char *text, const char *invalid,
                 bool (*special)(unsigned char c, struct str *out),
                 struct str *out) {
  for (unsigned len; *text; text += len ? len : 1) {
    len = utf8_length(text);
    if (!len)
      str_add(out, "%s", invalid);
    else if (!special((unsigned char)*text, out))
      str_add_bytes(out, text, len);
  }
}

static const char replacement[] = "\xef\xbf\xbd"; // U+FFFD

static bool is_control(unsigned char c) {
  return c < 32 || c == 127;
}

static bool special_in_json(unsigned char c, struct str *out) {
  if (c == '"' || c == '\\')
    str_add(out, "\\%c", c);
  else if (c == '\n')
    str_add(out, "\\n");
  else if (is_control(c) || c == '<')
    str_add(out, "\\u%04x", c);
  else
    return false;
  return true;
}

void escape_json(const char *text, struct str *out) {
  str_add(out, "\"");
  copy(text, "\\ufffd", special_in_json, out);
  str_add(out, "\"");
}

static bool special_in_xml(unsigned char c, struct str *out) {
  if (is_control(c) && c != '\n' && c != '\t')
    str_add(out, "%s", replacement);
  else if (c && strchr("<>&\"'", c))
    str_add(out, "&#%u;", c);
  else
    return false;
  return true;
}

void escape_xml(const char *text, struct str *out) {
  copy(text, replacement, special_in_xml, out);
}

static bool special_in_dot(unsigned char c, struct str *out) {
  if (c == '"' || c == '\\')
    str_add(out, "\\%c", c);
  else if (is_control(c))
    str_add(out, " ");
  else if (c == '&') // Graphviz knows HTML entities
    str_add(out, "&amp;");
  else
    return false;
  return true;
}

void escape_dot(const char *text, struct str *out) {
  str_add(out, "\"");
  copy(text, replacement, special_in_dot, out);
  str_add(out, "\"");
}

void escape_uri(const char *path, struct str *out) {
  for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
    bool is_plain = *p < 128 && (isalnum(*p) || strchr("/._~-", *p));
    str_add(out, is_plain ? "%c" : "%%%02X", *p);
  }
}
