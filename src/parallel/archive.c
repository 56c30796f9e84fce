// SPDX-License-Identifier: MIT
// Words are separated by blanks, and lines begin with tags. A text is `:` and
// its bytes, those that are not graphic as %XX; one that is not there is `-`.
#include "parallel/archive.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void archive_fail(struct archive *a, const char *what) {
  if (a->failed)
    return;
  a->failed = true;
  diag_set(a->why, a->name, a->line, "this is no part of a search: %s", what);
  diag_hint(a->why, "parts and checkpoints are written by heddle and cannot be "
                    "edited");
}

// The next word; its length is 0 at the end.
static const char *next_word(struct archive *a, size_t *length) {
  while (a->at < a->end && isspace((unsigned char)*a->at))
    a->line += *a->at++ == '\n';
  const char *first = a->at;
  while (a->at < a->end && !isspace((unsigned char)*a->at))
    a->at++;
  *length = (size_t)(a->at - first);
  return first;
}

void archive_tag(struct archive *a, const char *word) {
  size_t n;
  if (a->out) {
    str_add(a->out, "%s%s", a->out->len ? "\n" : "", word);
    return;
  }
  if (a->failed)
    return;
  const char *got = next_word(a, &n);
  char what[80];
  snprintf(what, sizeof what, "`%s` is missing", word);
  if (n != strlen(word) || memcmp(got, word, n) != 0)
    archive_fail(a, what);
}

void archive_number(struct archive *a, uint64_t *n, uint64_t most) {
  size_t length;
  if (a->out) {
    str_add(a->out, " %llu", (unsigned long long)*n);
    return;
  }
  *n = 0;
  if (a->failed)
    return;
  const char *word = next_word(a, &length);
  bool ok = length > 0;
  for (size_t i = 0; i < length && ok; i++)
    ok = isdigit((unsigned char)word[i]) &&
         !__builtin_mul_overflow(*n, 10, n) &&
         !__builtin_add_overflow(*n, (uint64_t)(word[i] - '0'), n);
  if (!ok || *n > most) {
    *n = 0;
    archive_fail(a, "a number is missing or too large");
  }
}

// At least one word of the text is there for each element.
uint32_t archive_length(struct archive *a, uint32_t len) {
  uint64_t n = len;
  archive_number(a, &n, UINT32_MAX);
  if (!a->out && !a->failed && n > (uint64_t)(a->end - a->at))
    archive_fail(a, "a list is cut");
  return a->failed ? 0 : (uint32_t)n;
}

static void write_text(struct str *out, const char *text) {
  str_add(out, " :");
  for (const unsigned char *p = (const unsigned char *)text; *p; p++)
    if (isgraph(*p) && *p != '%')
      str_add(out, "%c", *p);
    else
      str_add(out, "%%%02X", *p);
}

static int digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// False: there is none.
static bool read_text(struct archive *a, struct str *ret) {
  size_t n;
  if (a->failed)
    return false;
  const char *word = next_word(a, &n);
  if (n == 1 && *word == '-')
    return false;
  if (!n || *word != ':')
    archive_fail(a, "a text is missing");
  for (size_t i = 1; i < n && !a->failed; i++) {
    if (word[i] != '%') {
      str_add_bytes(ret, word + i, 1);
      continue;
    }
    int high = i + 2 < n ? digit(word[i + 1]) : -1;
    int low = i + 2 < n ? digit(word[i + 2]) : -1;
    char c = (char)(high * 16 + low);
    if (high < 0 || low < 0 || !c)
      archive_fail(a, "a text is damaged");
    str_add_bytes(ret, &c, 1);
    i += 2;
  }
  return !a->failed;
}

void archive_text(struct archive *a, char **text) {
  struct str s = {0};
  if (a->out) {
    write_text(a->out, *text);
    return;
  }
  read_text(a, &s);
  str_add_bytes(&s, "", 0); // a text of its own, if only an empty one
  *text = s.at;
}

void archive_buffer(struct archive *a, char *text, size_t size) {
  struct str s = {0};
  if (a->out) {
    write_text(a->out, text);
    return;
  }
  read_text(a, &s);
  snprintf(text, size, "%s", str_text(&s));
  str_done(&s);
}

void archive_shared(struct archive *a, const char **text,
                    struct strings *texts) {
  struct str s = {0};
  if (a->out && *text)
    write_text(a->out, *text);
  else if (a->out)
    str_add(a->out, " -");
  else
    *text = read_text(a, &s)
                ? strings_get(texts, strings_add(texts, str_text(&s)))
                : NULL;
  str_done(&s);
}
