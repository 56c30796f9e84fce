// SPDX-License-Identifier: MIT
// sscanf: text in memory to values. There is no other input.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"

enum { LONGEST = 64 }; // characters of a number

size_t double_length(const char *p); // strtod.c

static int is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_blanks(const char *p) {
  while (is_blank(*p))
    p++;
  return p;
}

// The length modifier: 1, 2, 4 or 8 bytes.
static const char *take_size(const char *f, int *ret) {
  *ret = 4;
  switch (*f) {
  case 'h':
    *ret = f[1] == 'h' ? 1 : 2;
    return f + (f[1] == 'h' ? 2 : 1);
  case 'l':
    *ret = 8;
    return f + (f[1] == 'l' ? 2 : 1);
  case 'z':
  case 'j':
  case 't':
  case 'q':
    *ret = 8;
    return f + 1;
  case 'L':
    *ret = 16;
    return f + 1;
  }
  return f;
}

static void put_number(void *to, int size, unsigned long value) {
  switch (size) {
  case 1:
    *(unsigned char *)to = (unsigned char)value;
    break;
  case 2:
    *(unsigned short *)to = (unsigned short)value;
    break;
  case 4:
    *(unsigned *)to = (unsigned)value;
    break;
  default:
    *(unsigned long *)to = value;
  }
}

// A copy of what a number may consist of, so that the width bounds it.
static size_t copy_number(const char *p, size_t width, char *to) {
  size_t n = 0;
  while (n < width && n < LONGEST - 1 && p[n] && !is_blank(p[n])) {
    to[n] = p[n];
    n++;
  }
  to[n] = 0;
  return n;
}

static int digit_value(char c) {
  return c >= '0' && c <= '9'                 ? c - '0'
         : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                              : 99;
}

// Both yield how many characters were used, 0 if there is no number. They do
// not call strtol and strtod, which would give the address of the copy away.
static size_t scan_integer(const char *p, size_t width, int base, void *to,
                           int size) {
  char copy[LONGEST];
  copy_number(p, width, copy);
  size_t i = *copy == '-' || *copy == '+';
  int has_prefix = copy[i] == '0' && (copy[i + 1] | 32) == 'x' &&
                   digit_value(copy[i + 2]) < 16;
  if (has_prefix && (base == 0 || base == 16)) {
    base = 16;
    i += 2;
  } else if (base == 0) {
    base = copy[i] == '0' ? 8 : 10;
  }
  size_t first = i;
  unsigned long value = 0;
  for (; digit_value(copy[i]) < base; i++)
    value = value * (unsigned long)base + (unsigned long)digit_value(copy[i]);
  if (i == first)
    return 0;
  if (to)
    put_number(to, size == 16 ? 8 : size, *copy == '-' ? 0 - value : value);
  return i;
}

static size_t scan_double(const char *p, size_t width, void *to, int size) {
  char copy[LONGEST];
  copy_number(p, width, copy);
  size_t n = double_length(copy);
  copy[n] = 0;
  if (!n || !to)
    return n;
  if (size == 16)
    *(long double *)to = __heddle_parse_extended(copy);
  else if (size == 8)
    *(double *)to = __heddle_parse_double(copy);
  else
    *(float *)to = (float)__heddle_parse_double(copy);
  return n;
}

// Is the character among those of [...]? `set` begins after the bracket.
static int is_in(const char *set, const char *end, char c) {
  int is_inverted = *set == '^', found = 0;
  for (set += is_inverted; set < end; set++) {
    if (set + 2 < end && set[1] == '-') {
      found |= c >= set[0] && c <= set[2];
      set += 2;
    } else {
      found |= *set == c;
    }
  }
  return found != is_inverted;
}

static size_t scan_text(const char *p, size_t width, const char *set,
                        const char *end, char *to) {
  size_t n = 0;
  while (n < width && p[n] && (set ? is_in(set, end, p[n]) : !is_blank(p[n]))) {
    if (to)
      to[n] = p[n];
    n++;
  }
  if (n && to)
    to[n] = 0;
  return n;
}

static int base_of(char conversion) {
  return conversion == 'i'                                             ? 0
         : conversion == 'x' || conversion == 'X' || conversion == 'p' ? 16
         : conversion == 'o'                                           ? 8
                                                                       : 10;
}

int vsscanf(const char *restrict text, const char *restrict f, va_list args) {
  const char *p = text;
  int done = 0;
  for (; *f; f++) {
    if (is_blank(*f)) {
      p = skip_blanks(p);
      continue;
    }
    if (*f != '%' || f[1] == '%') {
      f += *f == '%';
      if (*f == '%')
        p = skip_blanks(p);
      if (*p++ != *f)
        return done || p[-1] ? done : EOF;
      continue;
    }
    int is_dropped = *++f == '*';
    f += is_dropped;
    size_t width = 0;
    while (*f >= '0' && *f <= '9')
      width = 10 * width + (size_t)(*f++ - '0');
    int size;
    f = take_size(f, &size);
    void *to = is_dropped ? NULL : va_arg(args, void *);
    if (*f == 'n') {
      put_number(to, size, (unsigned long)(p - text));
      continue;
    }
    if (*f != 'c' && *f != '[')
      p = skip_blanks(p);
    if (!*p)
      return done ? done : EOF;
    size_t n = 0, most = width ? width : (size_t)-1;
    const char *end = f + 1;
    switch (*f) {
    case 'c':
      n = strnlen(p, width ? width : 1);
      if (to)
        memcpy(to, p, n);
      n = n == (width ? width : 1) ? n : 0;
      break;
    case 's':
      n = scan_text(p, most, NULL, NULL, to);
      break;
    case '[':
      end += *end == '^';
      end += *end == ']';
      while (*end && *end != ']')
        end++;
      n = scan_text(p, most, f + 1, end, to);
      f = end;
      break;
    case 'a':
    case 'e':
    case 'f':
    case 'g':
      n = scan_double(p, most, to, size);
      break;
    default:
      n = scan_integer(p, most, base_of(*f), to, *f == 'p' ? 8 : size);
    }
    if (!n)
      return done;
    p += n;
    done += !is_dropped;
  }
  return done;
}

int sscanf(const char *restrict text, const char *restrict format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsscanf(text, format, args);
  va_end(args);
  return n;
}

// glibc's names for them since C99.
int __isoc99_sscanf(const char *restrict text, const char *restrict format,
                    ...);
int __isoc99_vsscanf(const char *restrict text, const char *restrict format,
                     va_list args);
int __isoc99_sscanf(const char *restrict text, const char *restrict format,
                    ...) {
  va_list args;
  va_start(args, format);
  int n = vsscanf(text, format, args);
  va_end(args);
  return n;
}

int __isoc99_vsscanf(const char *restrict text, const char *restrict format,
                     va_list args) {
  return vsscanf(text, format, args);
}

// -- printf into memory of the right size

int vasprintf(char **restrict ret, const char *restrict format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (n < 0)
    return n;
  char *text = malloc((size_t)n + 1);
  *ret = text;
  return vsnprintf(text, (size_t)n + 1, format, args);
}

int asprintf(char **restrict ret, const char *restrict format, ...) {
  va_list args;
  va_start(args, format);
  int n = vasprintf(ret, format, args);
  va_end(args);
  return n;
}
