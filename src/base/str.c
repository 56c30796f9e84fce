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

static void strings_rehash(struct strings *s, uint32_t size) {
  free(s->slots);
  s->slots = xcalloc(size, sizeof *s->slots);
  s->mask = size - 1;
  for (uint32_t id = 0; id < s->text.len; id++) {
    const char *t = s->text.at[id];
    uint32_t i = (uint32_t)hash_bytes(t, strlen(t)) & s->mask;
    while (s->slots[i])
      i = (i + 1) & s->mask;
    s->slots[i] = id + 1;
  }
}

uint32_t strings_add(struct strings *s, const char *text) {
  if (!s->slots) {
    strings_rehash(s, 64);
    if (*text)
      strings_add(s, "");
  }
  size_t n = strlen(text);
  uint32_t i = (uint32_t)hash_bytes(text, n) & s->mask;
  for (; s->slots[i]; i = (i + 1) & s->mask)
    if (strcmp(s->text.at[s->slots[i] - 1], text) == 0)
      return s->slots[i] - 1;
  char *copy = xmalloc(n + 1);
  memcpy(copy, text, n + 1);
  array_push(&s->text, copy);
  uint32_t id = s->text.len - 1;
  s->slots[i] = id + 1;
  if (s->text.len * 2 > s->mask)
    strings_rehash(s, (s->mask + 1) * 2);
  return id;
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
  free(s->slots);
  s->slots = NULL;
  s->mask = 0;
}
