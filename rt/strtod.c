// SPDX-License-Identifier: MIT
// Text to floating point. The syntax is found here, since the characters may
// lie in shared memory and each one that is read is an access; the value, and
// whether it is in range, is the host's answer.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "builtin.h"

static int is_digit(char c, int is_hex) {
  return (c >= '0' && c <= '9') ||
         (is_hex && ((c | 32) >= 'a' && (c | 32) <= 'f'));
}

static size_t digits(const char *p, int is_hex) {
  size_t n = 0;
  while (is_digit(p[n], is_hex))
    n++;
  return n;
}

// The length of nan or nan(...).
static size_t nan_length(const char *p) {
  size_t n = 3;
  if (p[n] != '(')
    return n;
  do
    n++;
  while (is_digit(p[n], 0) || ((p[n] | 32) >= 'a' && (p[n] | 32) <= 'z') ||
         p[n] == '_');
  return p[n] == ')' ? n + 1 : 3;
}

// The length of the number at `p` (after blanks), 0 if there is none. Counted,
// not subtracted: a pointer that becomes a number counts as given away.
static size_t number_length(const char *p) {
  size_t i = *p == '+' || *p == '-';
  if (strncasecmp(p + i, "infinity", 8) == 0)
    return i + 8;
  if (strncasecmp(p + i, "inf", 3) == 0)
    return i + 3;
  if (strncasecmp(p + i, "nan", 3) == 0)
    return i + nan_length(p + i);
  int is_hex =
      p[i] == '0' && (p[i + 1] | 32) == 'x' &&
      (is_digit(p[i + 2], 1) || (p[i + 2] == '.' && is_digit(p[i + 3], 1)));
  i += is_hex ? 2 : 0;
  size_t before = digits(p + i, is_hex), after = 0;
  i += before;
  if (p[i] == '.' && (before || is_digit(p[i + 1], is_hex))) {
    after = digits(p + i + 1, is_hex);
    i += 1 + after;
  }
  if (!before && !after)
    return 0;
  if ((p[i] | 32) == (is_hex ? 'p' : 'e')) {
    size_t sign = p[i + 1] == '+' || p[i + 1] == '-';
    size_t n = digits(p + i + 1 + sign, 0);
    i += n ? 1 + sign + n : 0;
  }
  return i;
}

static const char *skip_blanks(const char *p) {
  while (*p == ' ' || (*p >= '\t' && *p <= '\r'))
    p++;
  return p;
}

static void note_error(const char *copy, int kind) {
  int error = __heddle_parse_error(copy, kind);
  if (error)
    errno = error;
}

// Copies the number at the beginning of `text`, blanks aside, and notes where
// it ends and whether it is in range. "": there is none.
#define TAKE_NUMBER(kind)                                                      \
  const char *p = skip_blanks(text);                                           \
  size_t n = number_length(p);                                                 \
  char copy[n + 1];                                                            \
  for (size_t i = 0; i < n; i++)                                               \
    copy[i] = p[i];                                                            \
  copy[n] = 0;                                                                 \
  if (end)                                                                     \
    *end = (char *)(n ? p + n : text);                                         \
  if (n)                                                                       \
  note_error(copy, kind)

double strtod(const char *restrict text, char **restrict end) {
  TAKE_NUMBER(PARSE_DOUBLE);
  return n ? __heddle_parse_double(copy, /*is_single=*/0) : 0;
}

long double strtold(const char *restrict text, char **restrict end) {
  TAKE_NUMBER(PARSE_EXTENDED);
  return n ? __heddle_parse_extended(copy) : 0;
}

float strtof(const char *restrict text, char **restrict end) {
  TAKE_NUMBER(PARSE_SINGLE);
  return n ? (float)__heddle_parse_double(copy, /*is_single=*/1) : 0;
}

double atof(const char *text) {
  return strtod(text, NULL);
}
