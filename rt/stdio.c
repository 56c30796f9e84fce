// SPDX-License-Identifier: MIT
// <stdio.h>: formatted text, into a buffer of the caller or into the trace.
//
// The formatter produces one character after the other and hands it to put().
// Where the text goes is a struct text plus the caller's buffer; the buffer
// travels as an argument, because an address kept in memory would make a local
// buffer shared.
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "bytecode/math.h"

// Constants, so that naming them is no access. They are never followed.
FILE *const stdin = (FILE *)1;
FILE *const stdout = (FILE *)2;
FILE *const stderr = (FILE *)3;

enum { CHUNK = 256 };

struct text {
  size_t len;        // characters produced so far
  size_t room;       // of the caller's buffer; the rest is only counted
  int is_shown;      // goes to the trace, through `chunk`
  char chunk[CHUNK]; // not yet shown
};

static void put(struct text *t, char *to, char c) {
  if (t->is_shown) {
    t->chunk[t->len % CHUNK] = c;
    if (t->len % CHUNK == CHUNK - 1)
      __heddle_output(t->chunk, CHUNK);
  } else if (t->len < t->room) {
    to[t->len] = c;
  }
  t->len++;
}

static void put_many(struct text *t, char *to, char c, int n) {
  for (; n > 0; n--)
    put(t, to, c);
}

static void show_rest(struct text *t) {
  if (t->len % CHUNK != 0)
    __heddle_output(t->chunk, t->len % CHUNK);
}

// -- one conversion

enum length { LEN_INT, LEN_CHAR, LEN_SHORT, LEN_LONG, LEN_EXTENDED };

struct spec {
  int is_left, has_plus, has_space, is_alternate, has_zeros; // flags
  int width, precision;                                      // -1: not given
  enum length length;
};

// With %2$d, arguments are taken by their place; `first` is where they begin.
struct args {
  va_list list, first;
  const char *format;
};

// A number or string is laid out as: blanks, prefix, zeros, body, blanks.
static void put_field(struct text *t, char *to, const struct spec *s,
                      const char *prefix, int zeros, const char *body, int n) {
  int prefix_len = 0;
  while (prefix[prefix_len])
    prefix_len++;
  int blanks = s->width - prefix_len - zeros - n;
  if (!s->is_left)
    put_many(t, to, ' ', blanks);
  for (int i = 0; i < prefix_len; i++)
    put(t, to, prefix[i]);
  put_many(t, to, '0', zeros);
  for (int i = 0; i < n; i++)
    put(t, to, body[i]);
  if (s->is_left)
    put_many(t, to, ' ', blanks);
}

// Zeros that the flag 0 asks for: up to the width.
static int zeros_to_width(const struct spec *s, const char *prefix, int n) {
  int used = n;
  for (; *prefix; prefix++)
    used++;
  return s->has_zeros && !s->is_left && s->width > used ? s->width - used : 0;
}

static void put_number(struct text *t, char *to, const struct spec *s,
                       const char *prefix, unsigned long value, unsigned base,
                       const char *digits) {
  char body[24];
  int at = sizeof body;
  for (; value > 0; value /= base)
    body[--at] = digits[value % base];
  int n = (int)sizeof body - at, zeros;
  if (s->precision >= 0)
    zeros = s->precision > n ? s->precision - n : 0;
  else {
    int least = n == 0; // zero is one digit
    zeros = zeros_to_width(s, prefix, n);
    zeros = zeros > least ? zeros : least;
  }
  // The alternate form of octal is one digit 0 in front.
  if (base == 8 && s->is_alternate && zeros == 0)
    zeros = 1;
  put_field(t, to, s, prefix, zeros, body + at, n);
}

static void put_signed(struct text *t, char *to, const struct spec *s,
                       long value) {
  const char *sign = value < 0      ? "-"
                     : s->has_plus  ? "+"
                     : s->has_space ? " "
                                    : "";
  unsigned long size = (unsigned long)value;
  put_number(t, to, s, sign, value < 0 ? 0 - size : size, 10, "0123456789");
}

static void put_unsigned(struct text *t, char *to, const struct spec *s,
                         char conversion, unsigned long value) {
  int is_prefixed = s->is_alternate && value != 0;
  switch (conversion) {
  case 'o':
    put_number(t, to, s, "", value, 8, "01234567");
    break;
  case 'x':
    put_number(t, to, s, is_prefixed ? "0x" : "", value, 16,
               "0123456789abcdef");
    break;
  case 'X':
    put_number(t, to, s, is_prefixed ? "0X" : "", value, 16,
               "0123456789ABCDEF");
    break;
  default:
    put_number(t, to, s, "", value, 10, "0123456789");
  }
}

static void put_pointer(struct text *t, char *to, struct spec *s,
                        const void *value) {
  if (!value) {
    put_field(t, to, s, "", 0, "(nil)", 5);
    return;
  }
  s->is_alternate = 1;
  put_unsigned(t, to, s, 'x', (uintptr_t)value);
}

static void put_string(struct text *t, char *to, const struct spec *s,
                       const char *value) {
  if (!value)
    value = s->precision >= 0 && s->precision < 6 ? "" : "(null)";
  int n = 0;
  while ((s->precision < 0 || n < s->precision) && value[n])
    n++;
  size_t end = t->len + (size_t)n < t->room ? t->len + (size_t)n : t->room;
  if (!t->is_shown && t->room && value < to + end && to < value + n)
    __heddle_fail(FIND_BAD_ARGUMENT,
                  "printf: the text that is printed overlaps the target");
  put_field(t, to, s, "", 0, value, n);
}

static char narrow(wchar_t c) {
  if (c < 0 || c > 127)
    __heddle_limit("printf: wide characters beyond ASCII are not supported");
  return (char)c;
}

static void put_wide_string(struct text *t, char *to, const struct spec *s,
                            const wchar_t *value) {
  if (!value) {
    put_string(t, to, s, NULL);
    return;
  }
  int n = 0;
  while ((s->precision < 0 || n < s->precision) && value[n])
    n++;
  if (!s->is_left)
    put_many(t, to, ' ', s->width - n);
  for (int i = 0; i < n; i++)
    put(t, to, narrow(value[i]));
  if (s->is_left)
    put_many(t, to, ' ', s->width - n);
}

// The letter as the interpreter takes it.
static int real_conversion(const struct spec *s, char conversion) {
  if (s->precision > 150)
    __heddle_limit("printf: more than 150 digits are not supported");
  return conversion | (s->is_alternate ? FORMAT_ALTERNATE : 0);
}

// Puts a number whose n digits, and perhaps a sign, are given.
static void put_real(struct text *t, char *to, const struct spec *s,
                     char conversion, const char *digits, int n) {
  const char *prefix = s->has_plus ? "+" : s->has_space ? " " : "";
  if (*digits == '-') {
    prefix = "-";
    digits++;
    n--;
  }
  int is_number = *digits >= '0' && *digits <= '9'; // not inf or nan
  int zeros = is_number ? zeros_to_width(s, prefix, n) : 0;
  // Zeros of a hexadecimal number go behind its 0x.
  if (zeros > 0 && (conversion == 'a' || conversion == 'A')) {
    char mark[4] = {prefix[0] ? prefix[0] : '0', prefix[0] ? '0' : digits[1],
                    prefix[0] ? digits[1] : 0, 0};
    put_field(t, to, s, mark, zeros, digits + 2, n - 2);
    return;
  }
  put_field(t, to, s, prefix, zeros, digits, n);
}

static void put_double(struct text *t, char *to, const struct spec *s,
                       char conversion, double value) {
  char body[512];
  int n = __heddle_format_double(value, real_conversion(s, conversion),
                                 s->precision, body);
  put_real(t, to, s, conversion, body, n);
}

static void put_extended(struct text *t, char *to, const struct spec *s,
                         char conversion, long double value) {
  char body[5632];
  int n = __heddle_format_extended(value, real_conversion(s, conversion),
                                   s->precision, body);
  put_real(t, to, s, conversion, body, n);
}

// -- the format

static long take_signed(struct args *a, enum length length) {
  switch (length) {
  case LEN_LONG:
  case LEN_EXTENDED: // glibc has %Ld, too
    return va_arg(a->list, long);
  case LEN_SHORT:
    return (short)va_arg(a->list, int);
  case LEN_CHAR:
    return (signed char)va_arg(a->list, int);
  case LEN_INT:
    break;
  }
  return va_arg(a->list, int);
}

static unsigned long take_unsigned(struct args *a, enum length length) {
  switch (length) {
  case LEN_LONG:
  case LEN_EXTENDED: // glibc has %Ld, too
    return va_arg(a->list, unsigned long);
  case LEN_SHORT:
    return (unsigned short)va_arg(a->list, unsigned);
  case LEN_CHAR:
    return (unsigned char)va_arg(a->list, unsigned);
  case LEN_INT:
    break;
  }
  return va_arg(a->list, unsigned);
}

static const char *parse_flags(struct spec *s, const char *f) {
  for (;; f++) {
    if (*f == '-')
      s->is_left = 1;
    else if (*f == '+')
      s->has_plus = 1;
    else if (*f == ' ')
      s->has_space = 1;
    else if (*f == '#')
      s->is_alternate = 1;
    else if (*f == '0')
      s->has_zeros = 1;
    else if (*f != '\'') // nothing groups digits in the C locale
      return f;
  }
}

// place = digit+ "$"; *ret is 0 if there is none.
static const char *parse_place(int *ret, const char *f) {
  const char *p = f;
  for (*ret = 0; *p >= '0' && *p <= '9'; p++)
    *ret = *ret * 10 + (*p - '0');
  if (*p == '$' && *ret)
    return p + 1;
  *ret = 0;
  return f;
}

// Takes the argument at a place, which the format has to say the type of.
static void skip_place(struct args *a, int place) {
  for (const char *f = a->format; *f; f++) {
    int here, width;
    if (*f != '%')
      continue;
    f = parse_place(&here, f + 1);
    int is_long = 0, is_extended = 0;
    for (; *f && !strchr("diouxXcsaAeEfFgGpm%", *f); f++) {
      is_long |= strchr("ljzt", *f) != NULL;
      is_extended |= *f == 'L';
      if (*f != '*')
        continue;
      parse_place(&width, f + 1);
      if (width == place) {
        (void)va_arg(a->list, int);
        return;
      }
    }
    if (here != place)
      continue;
    if (strchr("aAeEfFgG", *f) && is_extended)
      (void)va_arg(a->list, long double);
    else if (strchr("aAeEfFgG", *f))
      (void)va_arg(a->list, double);
    else if (strchr("sp", *f) || is_long || is_extended)
      (void)va_arg(a->list, long);
    else
      (void)va_arg(a->list, int);
    return;
  }
  __heddle_fail(FIND_BAD_ARGUMENT,
                "printf: the format says nothing of an argument before one "
                "that it takes by its place");
}

static void seek(struct args *a, int place) {
  if (!place)
    return;
  va_end(a->list);
  va_copy(a->list, a->first);
  for (int i = 1; i < place; i++)
    skip_place(a, i);
}

// number = "*" place? | digit*
static const char *parse_count(int *ret, const char *f, struct args *a) {
  if (*f == '*') {
    int place;
    f = parse_place(&place, f + 1);
    seek(a, place);
    *ret = va_arg(a->list, int);
    return f;
  }
  for (*ret = 0; *f >= '0' && *f <= '9'; f++)
    *ret = *ret * 10 + (*f - '0');
  return f;
}

static const char *parse_length(struct spec *s, const char *f) {
  switch (*f) {
  case 'h':
    s->length = f[1] == 'h' ? LEN_CHAR : LEN_SHORT;
    return f + (f[1] == 'h' ? 2 : 1);
  case 'l':
    s->length = LEN_LONG;
    return f + (f[1] == 'l' ? 2 : 1);
  case 'L':
    s->length = LEN_EXTENDED;
    return f + 1;
  case 'j':
  case 't':
  case 'z':
    s->length = LEN_LONG;
    return f + 1;
  default:
    return f;
  }
}

// spec = place? flag* width? ("." precision)? length?
static const char *parse_spec(struct spec *s, const char *f, struct args *a) {
  int place;
  f = parse_place(&place, f);
  f = parse_flags(s, f);
  f = parse_count(&s->width, f, a);
  if (s->width < 0) {
    s->is_left = 1;
    s->width = -s->width;
  }
  s->precision = -1;
  if (*f == '.')
    f = parse_count(&s->precision, f + 1, a);
  seek(a, place);
  return parse_length(s, f);
}

// How much was written so far.
static void store_length(const struct text *t, enum length length, void *to) {
  switch (length) {
  case LEN_CHAR:
    *(signed char *)to = (signed char)t->len;
    break;
  case LEN_SHORT:
    *(short *)to = (short)t->len;
    break;
  case LEN_LONG:
  case LEN_EXTENDED:
    *(long *)to = (long)t->len;
    break;
  case LEN_INT:
    *(int *)to = (int)t->len;
  }
}

static void convert(struct text *t, char *to, struct spec *s, char conversion,
                    struct args *a) {
  int is_wide = s->length == LEN_LONG || conversion == 'C' || conversion == 'S';
  switch (conversion) {
  case '%':
    put(t, to, '%');
    break;
  case 'C':
  case 'c': {
    int given = va_arg(a->list, int);
    char c = is_wide ? narrow(given) : (char)given;
    put_field(t, to, s, "", 0, &c, 1);
    break;
  }
  case 'S':
  case 's':
    if (is_wide)
      put_wide_string(t, to, s, va_arg(a->list, const wchar_t *));
    else
      put_string(t, to, s, va_arg(a->list, const char *));
    break;
  case 'm':
    put_string(t, to, s, strerror(errno));
    break;
  case 'n':
    store_length(t, s->length, va_arg(a->list, void *));
    break;
  case 'p':
    put_pointer(t, to, s, va_arg(a->list, void *));
    break;
  case 'd':
  case 'i':
    put_signed(t, to, s, take_signed(a, s->length));
    break;
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    put_unsigned(t, to, s, conversion, take_unsigned(a, s->length));
    break;
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    if (s->length == LEN_EXTENDED)
      put_extended(t, to, s, conversion, va_arg(a->list, long double));
    else
      put_double(t, to, s, conversion, va_arg(a->list, double));
    break;
  default:
    __heddle_limit("printf: a conversion that is unknown or not supported");
  }
}

static void format_text(struct text *t, char *to, const char *format,
                        struct args *a) {
  a->format = format;
  for (const char *f = format; *f; f++) {
    if (*f != '%') {
      put(t, to, *f);
      continue;
    }
    struct spec s = {0};
    f = parse_spec(&s, f + 1, a);
    convert(t, to, &s, *f, a);
  }
}

// -- the printf family

int vprintf(const char *restrict format, va_list list) {
  struct text t = {.is_shown = 1};
  struct args a;
  va_copy(a.list, list);
  va_copy(a.first, list);
  format_text(&t, NULL, format, &a);
  va_end(a.list);
  va_end(a.first);
  show_rest(&t);
  return (int)t.len;
}

int vsnprintf(char *restrict to, size_t n, const char *restrict format,
              va_list list) {
  struct text t = {.room = n > 0 ? n - 1 : 0};
  struct args a;
  va_copy(a.list, list);
  va_copy(a.first, list);
  format_text(&t, to, format, &a);
  va_end(a.list);
  va_end(a.first);
  if (n > 0)
    to[t.len < n ? t.len : n - 1] = 0;
  return (int)t.len;
}

int vfprintf(FILE *restrict file, const char *restrict format, va_list list) {
  (void)file;
  return vprintf(format, list);
}

int vsprintf(char *restrict to, const char *restrict format, va_list list) {
  return vsnprintf(to, INT_MAX, format, list);
}

// The variable arguments of a function, given to its v-form.
#define FORWARD(call)                                                          \
  va_list list;                                                                \
  va_start(list, format);                                                      \
  int n_written = call;                                                        \
  va_end(list);                                                                \
  return n_written

int printf(const char *restrict format, ...) {
  FORWARD(vprintf(format, list));
}

int fprintf(FILE *restrict file, const char *restrict format, ...) {
  FORWARD(vfprintf(file, format, list));
}

int dprintf(int fd, const char *restrict format, ...) {
  (void)fd;
  FORWARD(vprintf(format, list));
}

int sprintf(char *restrict to, const char *restrict format, ...) {
  FORWARD(vsprintf(to, format, list));
}

int snprintf(char *restrict to, size_t n, const char *restrict format, ...) {
  FORWARD(vsnprintf(to, n, format, list));
}

// -- plain output

static void show_string(struct text *t, const char *s) {
  for (; *s; s++)
    put(t, NULL, *s);
}

int fputs(const char *restrict s, FILE *restrict file) {
  (void)file;
  struct text t = {.is_shown = 1};
  show_string(&t, s);
  show_rest(&t);
  return 0;
}

int puts(const char *s) {
  struct text t = {.is_shown = 1};
  show_string(&t, s);
  put(&t, NULL, '\n');
  show_rest(&t);
  return 0;
}

int fputc(int c, FILE *file) {
  (void)file;
  char byte = (char)c;
  __heddle_output(&byte, 1);
  return (unsigned char)c;
}

int putc(int c, FILE *file) {
  return fputc(c, file);
}

int putchar(int c) {
  return fputc(c, stdout);
}

size_t fwrite(const void *restrict data, size_t size, size_t count,
              FILE *restrict file) {
  (void)file;
  struct text t = {.is_shown = 1};
  for (size_t i = 0; i < size * count; i++)
    put(&t, NULL, ((const char *)data)[i]);
  show_rest(&t);
  return size > 0 ? count : 0;
}

void perror(const char *what) {
  struct text t = {.is_shown = 1};
  if (what && *what) {
    show_string(&t, what);
    show_string(&t, ": ");
  }
  show_string(&t, strerror(errno));
  put(&t, NULL, '\n');
  show_rest(&t);
}

int fflush(FILE *file) {
  (void)file;
  return 0;
}

int setvbuf(FILE *restrict file, char *restrict buffer, int mode, size_t size) {
  (void)file, (void)buffer, (void)mode, (void)size;
  return 0;
}

void setbuf(FILE *restrict file, char *restrict buffer) {
  (void)file, (void)buffer;
}
