// SPDX-License-Identifier: MIT
// sscanf: text in memory to values. There is no other input.
//
// As glibc reads: as many characters as may belong to the item, one after the
// other, and none is given back. So `1e+x` is 1, and `x` comes next.
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "builtin.h"

struct spec {
  int is_dropped;   // %*d
  int is_allocated; // %ms
  int size;         // the length modifier: 1, 2, 4, 8 or 16 bytes; 0: none
  size_t width;
  char letter;
};

static int is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_blanks(const char *p) {
  while (is_blank(*p))
    p++;
  return p;
}

static const char *take_size(const char *f, int *ret) {
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

// spec = "*"? width? "m"? size? letter
static const char *take_spec(const char *f, struct spec *ret) {
  size_t width = 0;
  int size = 0;
  ret->is_dropped = *f == '*';
  f += *f == '*';
  while (*f >= '0' && *f <= '9')
    width = 10 * width + (size_t)(*f++ - '0');
  ret->width = width ? width : (size_t)-1;
  ret->is_allocated = *f == 'm';
  f = take_size(f + (*f == 'm'), &size);
  ret->size = size;
  ret->letter = *f;
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
  case 0:
    *(unsigned *)to = (unsigned)value;
    break;
  default:
    *(unsigned long *)to = value;
  }
}

// -- integers

static int digit_value(char c) {
  return c >= '0' && c <= '9'                 ? c - '0'
         : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                              : 99;
}

static int base_of(char letter) {
  switch (letter) {
  case 'b':
    return 2;
  case 'i':
    return 0;
  case 'o':
    return 8;
  case 'p':
  case 'x':
  case 'X':
    return 16;
  default:
    return 10;
  }
}

// All scanners yield how many characters were used, 0 if there is no item.
static size_t scan_integer(const char *p, const struct spec *s, int is_c23,
                           void *to) {
  int base = base_of(s->letter), is_signed = s->letter == 'd' || base == 0;
  size_t width = s->width, i = *p == '-' || *p == '+', first = i;
  if (s->letter == 'p' && width >= 5 && strncmp(p, "(nil)", 5) == 0) {
    if (to)
      put_number(to, 8, 0);
    return 5;
  }
  if (i < width && p[i] == '0') {
    i++;
    char next = i < width ? (char)(p[i] | 32) : 0;
    if (next == 'x' && (base == 0 || base == 16)) {
      base = 16;
      i++;
    } else if (next == 'b' && is_c23 && (base == 0 || base == 2)) {
      base = 2;
      i++;
    } else if (base == 0) {
      base = 8;
    }
  }
  base = base ? base : 10;
  unsigned long value = 0, limit = ULONG_MAX;
  if (is_signed)
    limit = (unsigned long)LONG_MAX + (*p == '-');
  int is_clipped = 0;
  for (; i < width && digit_value(p[i]) < base; i++) {
    unsigned long digit = (unsigned long)digit_value(p[i]);
    is_clipped |= __builtin_mul_overflow(value, (unsigned long)base, &value);
    is_clipped |= __builtin_add_overflow(value, digit, &value);
    is_clipped |= value > limit;
  }
  if (i == first)
    return 0;
  if (is_clipped)
    errno = ERANGE;
  value = is_clipped ? limit : value;
  if (*p == '-' && (is_signed || !is_clipped))
    value = 0 - value;
  if (to)
    put_number(to, s->letter == 'p' ? 8 : s->size, value);
  return i;
}

// -- floating point

// The words inf, infinity and nan after a sign; 0: none of them.
static size_t word_length(const char *p, size_t width) {
  if (width >= 3 && strncasecmp(p, "nan", 3) == 0)
    return 3;
  if (width < 3 || strncasecmp(p, "inf", 3) != 0)
    return 0;
  if (width == 3 || (p[3] | 32) != 'i')
    return 3;
  return width >= 8 && strncasecmp(p, "infinity", 8) == 0 ? 8 : 0;
}

static size_t real_length(const char *p, size_t width) {
  size_t i = *p == '-' || *p == '+';
  if (i == width)
    return 0;
  if ((p[i] | 32) == 'i' || (p[i] | 32) == 'n') {
    size_t n = word_length(p + i, width - i);
    return n ? i + n : 0;
  }
  int is_hex = width - i > 2 && p[i] == '0' && (p[i + 1] | 32) == 'x';
  i += is_hex ? 2 : 0;
  size_t first = i;
  int has_digits = is_hex, has_point = 0, has_exponent = 0, may_sign = 0;
  for (; i < width; i++) {
    char c = p[i];
    int is_digit = digit_value(c) < (is_hex && !has_exponent ? 16 : 10);
    int is_sign = may_sign && (c == '+' || c == '-');
    int is_point = c == '.' && !has_point && !has_exponent;
    may_sign = !is_digit && !has_exponent && i > first &&
               (c | 32) == (is_hex ? 'p' : 'e');
    if (!is_digit && !is_sign && !is_point && !may_sign)
      break;
    has_digits |= is_digit && !has_exponent;
    has_point |= is_point;
    has_exponent |= may_sign;
  }
  return has_digits && i > first ? i : 0;
}

static size_t scan_real(const char *p, const struct spec *s, void *to) {
  size_t n = real_length(p, s->width);
  if (!n)
    return n;
  char copy[n + 1];
  for (size_t i = 0; i < n; i++)
    copy[i] = p[i];
  copy[n] = 0;
  int error = __heddle_parse_error(copy, s->size == 16  ? PARSE_EXTENDED
                                         : s->size == 8 ? PARSE_DOUBLE
                                                        : PARSE_SINGLE);
  if (error)
    errno = error;
  if (!to)
    return n;
  if (s->size == 16)
    *(long double *)to = __heddle_parse_extended(copy);
  else if (s->size == 8)
    *(double *)to = __heddle_parse_double(copy, /*is_single=*/0);
  else
    *(float *)to = (float)__heddle_parse_double(copy, /*is_single=*/1);
  return n;
}

// -- text

// Is the character among those of [...]? `set` begins after the bracket.
static int is_in(const char *set, const char *end, char c) {
  int is_inverted = *set == '^', found = 0;
  for (set += is_inverted; set < end; set++) {
    if (set + 2 < end && set[1] == '-' && set[0] <= set[2]) {
      found |= c >= set[0] && c <= set[2];
      set += 2;
    } else {
      found |= *set == c;
    }
  }
  return found != is_inverted;
}

static const char *end_of_set(const char *set) {
  set += *set == '^';
  set += *set == ']';
  while (*set && *set != ']')
    set++;
  return set;
}

// %c, %s and %[, whose set goes from `set` to `end`.
static size_t scan_text(const char *p, const struct spec *s, const char *set,
                        const char *end, void *to) {
  size_t n = 0, width = s->width;
  if (s->letter == 'c') {
    n = strnlen(p, width == (size_t)-1 ? 1 : width);
  } else {
    while (n < width && p[n] &&
           (s->letter == 's' ? !is_blank(p[n]) : is_in(set, end, p[n])))
      n++;
  }
  if (!n || !to)
    return n;
  size_t closing = s->letter != 'c';
  char *text = to;
  if (s->is_allocated) {
    text = malloc(n + closing);
    *(char **)to = text;
  }
  for (size_t i = 0; i < n; i++)
    text[i] = p[i];
  if (closing)
    text[n] = 0;
  return n;
}

// -- the format

static _Noreturn void refuse(char letter) {
  char text[] = "sscanf: the conversion %? is not supported";
  text[sizeof "sscanf: the conversion %" - 1] = letter;
  __heddle_limit(text);
}

static int is_text(char letter) {
  return letter == 'c' || letter == 's' || letter == '[';
}

static size_t scan_item(const char *p, const struct spec *s, const char *set,
                        const char *end, int is_c23, void *to) {
  switch (s->letter) {
  case 'c':
  case 's':
  case '[':
    if (s->size) // wide characters
      refuse('l');
    return scan_text(p, s, set, end, to);
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    return scan_real(p, s, to);
  case 'b':
    if (!is_c23)
      refuse('b');
    return scan_integer(p, s, is_c23, to);
  case 'd':
  case 'i':
  case 'o':
  case 'p':
  case 'u':
  case 'x':
  case 'X':
    return scan_integer(p, s, is_c23, to);
  default:
    refuse(s->letter);
  }
}

// *at: where it begins, and where it has come to.
static int scan_from(const char **at, const char *f, va_list args, int is_c23) {
  const char *text = *at, *p = text;
  int done = 0;
  for (; *f; f++) {
    if (is_blank(*f)) {
      *at = p = skip_blanks(p);
      continue;
    }
    if (*f != '%' || f[1] == '%') {
      f += *f == '%';
      if (*f == '%')
        p = skip_blanks(p);
      if (*p != *f)
        return done || *p ? done : EOF;
      *at = ++p;
      continue;
    }
    struct spec s;
    f = take_spec(f + 1, &s);
    if (s.is_allocated && !is_text(s.letter))
      refuse('m');
    void *to = s.is_dropped ? NULL : va_arg(args, void *);
    if (s.letter == 'n') {
      if (to)
        put_number(to, s.size, (unsigned long)(p - text));
      continue;
    }
    const char *set = f + 1, *end = s.letter == '[' ? end_of_set(set) : f;
    if (s.letter != 'c' && s.letter != '[')
      *at = p = skip_blanks(p);
    if (!*p)
      return done ? done : EOF;
    size_t n = scan_item(p, &s, set, end, is_c23, to);
    if (!n)
      return done;
    f = end;
    *at = p += n;
    done += !s.is_dropped;
  }
  return done;
}

int __heddle_scan(const char *text, const char **end, const char *format,
                  va_list args, int is_c23);
int __heddle_scan(const char *text, const char **end, const char *format,
                  va_list args, int is_c23) {
  *end = text;
  return scan_from(end, format, args, is_c23);
}

static int scan(const char *text, const char *format, va_list args,
                int is_c23) {
  return scan_from(&text, format, args, is_c23);
}

// glibc's headers have other names for them since C99 and, since 2.38, where
// C23 is spoken.
#define SCANF(name, vname, is_c23)                                             \
  int name(const char *restrict text, const char *restrict format, ...);       \
  int vname(const char *restrict text, const char *restrict format,            \
            va_list args);                                                     \
  int vname(const char *restrict text, const char *restrict format,            \
            va_list args) {                                                    \
    return scan(text, format, args, is_c23);                                   \
  }                                                                            \
  int name(const char *restrict text, const char *restrict format, ...) {      \
    va_list args;                                                              \
    va_start(args, format);                                                    \
    int n = scan(text, format, args, is_c23);                                  \
    va_end(args);                                                              \
    return n;                                                                  \
  }
SCANF(sscanf, vsscanf, 0)
SCANF(__isoc99_sscanf, __isoc99_vsscanf, 0)
SCANF(__isoc23_sscanf, __isoc23_vsscanf, 1)

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
