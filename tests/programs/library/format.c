// SPDX-License-Identifier: MIT
// printf and its family, into local, shared and too small buffers, from
// constant, local and shared strings.
// expect: sc,rc11 ok 1
// run: args=--system-headers rc11 ok 1
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char shared[64], name[] = "shared";

static int forward(char *to, size_t n, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int written = vsnprintf(to, n, format, list);
  va_end(list);
  return written;
}

static void check(const char *expected, const char *text) {
  assert(strcmp(expected, text) == 0);
}

int main(void) {
  char local[64], *heap = malloc(64);
  assert(snprintf(local, sizeof local, "%d|%5d|%-5d|%05d|%+d", 1, -2, 3, -4,
                  5) == 22);
  check("1|   -2|3    |-0004|+5", local);
  sprintf(shared, "%x %#X %o %u %c%%", 255, 255, 8, 4000000000u, 'c');
  check("ff 0XFF 10 4000000000 c%", shared);
  sprintf(heap, "%s/%.3s/%6s/%-6s/", name, name, "abc", "abc");
  check("shared/sha/   abc/abc   /", heap);
  sprintf(local, "%hhd %hd %ld %lld %zu %jd", 300, 70000, -1L, 1LL << 40,
          sizeof(int), (intmax_t)INT64_MIN);
  check("44 4464 -1 1099511627776 4 -9223372036854775808", local);
  sprintf(local, "%f %.2f %e %g %8.3f", 0.5, -1.005, 12345.678, 0.0001, 3.0);
  check("0.500000 -1.00 1.234568e+04 0.0001    3.000", local);
  sprintf(local, "%p %s", (void *)0, (char *)NULL);
  check("(nil) (null)", local);
  assert(snprintf(local, 4, "%s", "abcdef") == 6);
  check("abc", local);
  assert(snprintf(NULL, 0, "%0*d", 7, 1) == 7);
  assert(forward(local, sizeof local, "%d%s%.1f", 1, "x", 2.0) == 5);
  check("1x2.0", local);
  assert(printf("%s %s\n", local, shared) > 0 && puts(name) >= 0);
  fprintf(stderr, "%d", 3);
  putchar('\n');
  free(heap);
}
