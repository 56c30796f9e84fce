// SPDX-License-Identifier: MIT
// The interpreter's part for rt/ when it is compiled for the host: what the
// builtins do, as far as these tests need them.
#pragma once

#include "base/finding.h"
#include "bytecode/math.h"

#include <errno.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Random formats are the point of the tests.
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

extern __thread int rt_errno;
__thread int rt_errno;

static char shown[4096];
static size_t shown_len;
static bool may_fail, has_failed;
static jmp_buf stopped;

void *__heddle_malloc(size_t size);
void *__heddle_calloc(size_t size);
void __heddle_free(void *p);
size_t __heddle_object_size(const void *p);
size_t __heddle_cell_size(const void *p);
long __heddle_sample(const char *function, long lo, long hi);
void __heddle_output(const char *text, size_t n);
_Noreturn void __heddle_fail(enum finding_kind kind, const char *text);
_Noreturn void __heddle_limit(const char *text);
int __heddle_format_double(double value, int conversion, int precision,
                           char *to);
int __heddle_format_extended(long double value, int conversion, int precision,
                             char *to);
double __heddle_parse_double(const char *text, int is_single);
long double __heddle_parse_extended(const char *text);
int __heddle_parse_error(const char *text, int kind);

// The size is kept in front of the object.
void *__heddle_malloc(size_t size) {
  if (size > 1u << 30)
    return NULL;
  size_t *p = malloc(size + 16);
  *p = size;
  return p + 2;
}

void *__heddle_calloc(size_t size) {
  void *p = __heddle_malloc(size);
  return p ? memset(p, 0, size) : NULL;
}

void __heddle_free(void *p) {
  if (p)
    free((size_t *)p - 2);
}

size_t __heddle_object_size(const void *p) {
  return ((const size_t *)p)[-2];
}

static size_t cell_size;
size_t __heddle_cell_size(const void *p) {
  return cell_size && (uintptr_t)p % cell_size == 0 ? cell_size : 0;
}

long __heddle_sample(const char *function, long lo, long hi) {
  (void)function;
  return (lo + hi) / 2;
}

void __heddle_output(const char *text, size_t n) {
  if (n > sizeof shown - shown_len)
    n = sizeof shown - shown_len;
  memcpy(shown + shown_len, text, n);
  shown_len += n;
}

_Noreturn void __heddle_fail(enum finding_kind kind, const char *text) {
  if (!may_fail)
    printf("# unexpected %s: %s\n", finding_name(kind), text);
  has_failed = true;
  longjmp(stopped, 1);
}

_Noreturn void __heddle_limit(const char *text) {
  if (!may_fail)
    printf("# unexpected limit: %s\n", text);
  has_failed = true;
  longjmp(stopped, 1);
}

int __heddle_format_double(double value, int conversion, int precision,
                           char *to) {
  char plain[] = {'%', '.', '*', (char)conversion, 0};
  char alternate[] = {'%', '#', '.', '*', (char)conversion, 0};
  const char *format = conversion & FORMAT_ALTERNATE ? alternate : plain;
  return snprintf(to, 512, format, precision, value);
}

int __heddle_format_extended(long double value, int conversion, int precision,
                             char *to) {
  char plain[] = {'%', '.', '*', 'L', (char)conversion, 0};
  char alternate[] = {'%', '#', '.', '*', 'L', (char)conversion, 0};
  const char *format = conversion & FORMAT_ALTERNATE ? alternate : plain;
  return snprintf(to, 5632, format, precision, value);
}

double __heddle_parse_double(const char *text, int is_single) {
  return is_single ? (double)strtof(text, NULL) : strtod(text, NULL);
}

long double __heddle_parse_extended(const char *text) {
  return strtold(text, NULL);
}

int __heddle_parse_error(const char *text, int kind) {
  volatile long double ignored;
  int kept = errno;
  errno = 0;
  ignored = kind == 0   ? (long double)strtof(text, NULL)
            : kind == 1 ? (long double)strtod(text, NULL)
                        : strtold(text, NULL);
  (void)ignored;
  int error = errno;
  errno = kept;
  return error;
}

// -- random arguments

static uint64_t seed;

static unsigned pick(unsigned n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}
