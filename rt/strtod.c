// SPDX-License-Identifier: MIT
// Text to floating point. The syntax is found here, the value by the
// interpreter, which rounds as the host does.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "builtin.h"

enum { ROOM = 128 };

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

// The length of the number at `p` (after blanks), 0 if there is none. Counted,
// not subtracted: a pointer that becomes a number counts as given away.
size_t double_length(const char *p);
size_t double_length(const char *p) {
  size_t i = *p == '+' || *p == '-';
  if (strncasecmp(p + i, "infinity", 8) == 0)
    return i + 8;
  if (strncasecmp(p + i, "inf", 3) == 0 || strncasecmp(p + i, "nan", 3) == 0)
    return i + 3;
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

// The text of the number at the beginning of `text`, blanks aside, and where it
// ends. "": there is none.
static void take_number(const char *text, char **end, char *copy) {
  const char *p = text;
  while (*p == ' ' || (*p >= '\t' && *p <= '\r'))
    p++;
  size_t n = double_length(p);
  if (end)
    *end = (char *)(n ? p + n : text);
  if (n >= ROOM)
    __heddle_fail(FIND_BAD_ARGUMENT,
                  "strtod: a number of more than 127 characters");
  for (size_t i = 0; i < n; i++)
    copy[i] = p[i];
  copy[n] = 0;
}

double strtod(const char *restrict text, char **restrict end) {
  char copy[ROOM];
  take_number(text, end, copy);
  return *copy ? __heddle_parse_double(copy) : 0;
}

long double strtold(const char *restrict text, char **restrict end) {
  char copy[ROOM];
  take_number(text, end, copy);
  return *copy ? __heddle_parse_extended(copy) : 0;
}

float strtof(const char *restrict text, char **restrict end) {
  return (float)strtod(text, end);
}

double atof(const char *text) {
  return strtod(text, NULL);
}
