// SPDX-License-Identifier: MIT
// Strings end in NUL at all times, so `at` can be printed as it is. Interned
// ones are found by an open hash table of ids.
#include "base/str.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

void str_add_bytes(struct str *s, const char *bytes, size_t n) {
  array_reserve(s, n + 1);
  memcpy(s->at + s->len, bytes, n);
  s->len += (uint32_t)n;
  s->at[s->len] = 0;
}

void str_addv(struct str *s, const char *fmt, va_list list) {
  va_list again;
  va_copy(again, list);
  int n = vsnprintf(NULL, 0, fmt, list);
  check(n >= 0);
  array_reserve(s, (uint32_t)n + 1);
  vsnprintf(s->at + s->len, (size_t)n + 1, fmt, again);
  va_end(again);
  s->len += (uint32_t)n;
}

void str_add(struct str *s, const char *fmt, ...) {
  va_list list;
  va_start(list, fmt);
  str_addv(s, fmt, list);
  va_end(list);
}

void str_done(struct str *s) {
  array_done(s);
}

void texts_done(text_list *t) {
  for (uint32_t i = 0; i < t->len; i++)
    free(t->at[i]);
  array_done(t);
  *t = (text_list){0};
}

uint32_t strings_add(struct strings *s, const char *text) {
  if (!s->text.len && *text)
    strings_add(s, "");
  size_t n = strlen(text);
  uint32_t hash = (uint32_t)hash_bytes(text, n);
  for (uint32_t at = hash, id;
       (id = table_next(&s->table, hash, &at)) != TABLE_NONE;)
    if (strcmp(s->text.at[id], text) == 0)
      return id;
  char *copy = xmalloc(n + 1);
  memcpy(copy, text, n + 1);
  array_push(&s->text, copy);
  table_add(&s->table, hash, s->text.len - 1);
  return s->text.len - 1;
}

const char *strings_get(const struct strings *s, uint32_t id) {
  if (!s->text.len && id == 0)
    return "";
  check(id < s->text.len);
  return s->text.at[id];
}

void strings_done(struct strings *s) {
  for (uint32_t i = 0; i < s->text.len; i++)
    free(s->text.at[i]);
  array_done(&s->text);
  table_done(&s->table);
}
