// SPDX-License-Identifier: MIT
// A growable string, and interned strings.
#pragma once

#include "base/array.h"
#include "base/table.h"

#include <stdarg.h>

struct str {
  char *at; // always NUL-terminated once something was added
  uint32_t len, cap;
};

void str_add(struct str *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
void str_addv(struct str *s, const char *fmt, va_list list) PRINTF_LIKE(2, 0);
void str_add_bytes(struct str *s, const char *bytes, size_t n);
void str_done(struct str *s);
// Empties it and keeps its room.
static inline void str_clear(struct str *s) {
  s->len = 0;
  if (s->at)
    s->at[0] = 0;
}
// The text so far ("" when nothing was added).
static inline const char *str_text(const struct str *s) {
  return s->at ? s->at : "";
}

// Strings that belong to the list.
typedef ARRAY(char *) text_list;
void texts_done(text_list *t);

// A set of strings named by dense ids; id 0 is always "". Strings never move.
struct strings {
  ARRAY(char *) text;
  struct table table;
};

uint32_t strings_add(struct strings *s, const char *text);
const char *strings_get(const struct strings *s, uint32_t id);
void strings_done(struct strings *s);
