// SPDX-License-Identifier: MIT
// Functions with variable arguments in code for AArch64, where a va_list is
// another struct than that of x86-64, for which the library is.
// run: flags=--target=aarch64-linux-gnu sc,armv8 ok 1
// run: flags=--target=aarch64-linux-gnu flags=-DPOINTER sc incomplete
// run: flags=--target=aarch64-linux-gnu flags=-DWRONG sc error assertion
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct pair {
  long a, b;
};

struct large {
  long a[4];
};

static double sum(int n, ...) {
  va_list list, again;
  double all = 0;
  va_start(list, n);
  va_copy(again, list);
  for (int i = 0; i < n; i++)
    all += va_arg(list, int) * va_arg(list, double);
  struct pair p = va_arg(list, struct pair);
  struct large l = va_arg(list, struct large);
  all += (double)(p.a + p.b * 10 + l.a[0] + l.a[3] * 10);
  va_end(list);
  assert(va_arg(again, int) == 1);
  va_end(again);
  return all;
}

static void text(char *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(to, 40, format, list);
  va_end(list);
}

static int first(int n, ...) {
  va_list list;
  va_start(list, n);
  int value = va_arg(list, int);
  va_end(list);
  return value;
}

int main(void) {
  struct pair p = {100, 200};
  struct large l = {{1000, 0, 0, 2000}};
  double all = sum(3, 1, 1.5, 2, 2.5, 3, 3.5, p, l);
  assert(all == 17 + 2100 + 21000); // 1.5 + 5 + 10.5
  char to[40];
  text(to, "%d %s %.1f %ld %c %d %d %d %d", 1, "two", 3.5, 4L, '5', 6, 7, 8, 9);
  assert(strcmp(to, "1 two 3.5 4 5 6 7 8 9") == 0);
#ifdef POINTER // whether the function is of x86-64's kind is not known
  int (*volatile called)(int, ...) = first;
  assert(called(1, 7) == 7);
#endif
#ifdef WRONG
  assert(first(1, 7) == 8); // BUG
#else
  assert(first(1, 7) == 7);
#endif
  return 0;
}
