// SPDX-License-Identifier: MIT
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

void escape_json(const char *text, struct str *out) {
  str_add(out, "\"");
  for (const char *p = text; *p;) {
    unsigned len = utf8_length(p);
    unsigned char c = (unsigned char)*p;
    if (len == 0)
      str_add(out, "\\ufffd");
    else if (c == '"' || c == '\\')
      str_add(out, "\\%c", c);
    else if (c == '\n')
      str_add(out, "\\n");
    else if (c < 32 || c == 127 || c == '<')
      str_add(out, "\\u%04x", c);
    else
      str_add_bytes(out, p, len);
    p += len ? len : 1;
  }
  str_add(out, "\"");
}

void escape_xml(const char *text, struct str *out) {
  for (const char *p = text; *p;) {
    unsigned len = utf8_length(p);
    unsigned char c = (unsigned char)*p;
    bool is_control = (c < 32 && c != '\n' && c != '\t') || c == 127;
    if (len == 0 || is_control)
      str_add(out, "\xef\xbf\xbd");
    else if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'')
      str_add(out, "&#%u;", c);
    else
      str_add_bytes(out, p, len);
    p += len ? len : 1;
  }
}

void escape_dot(const char *text, struct str *out) {
  str_add(out, "\"");
  for (const char *p = text; *p;) {
    unsigned len = utf8_length(p);
    unsigned char c = (unsigned char)*p;
    if (len == 0)
      str_add(out, "\xef\xbf\xbd");
    else if (c == '"' || c == '\\')
      str_add(out, "\\%c", c);
    else if (c < 32 || c == 127)
      str_add(out, " ");
    else if (c == '&') // Graphviz knows HTML entities
      str_add(out, "&amp;");
    else
      str_add_bytes(out, p, len);
    p += len ? len : 1;
  }
  str_add(out, "\"");
}

void escape_uri(const char *path, struct str *out) {
  for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
    bool is_plain = *p < 128 && (isalnum(*p) || strchr("/._~-", *p));
    str_add(out, is_plain ? "%c" : "%%%02X", *p);
  }
}
