// SPDX-License-Identifier: MIT
// A va_list that others could reach: a global one, and one that goes to a
// function that is not known (std::to_string of C++ does that). LENT: another
// thread reads the arguments, which is not had, and said.
// run: sc,rc11,armv8 ok 1
// run: flags=-DLENT rc11 incomplete
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static va_list everybodys;

static int sum(int n, ...) {
  int s = 0;
  va_start(everybodys, n);
  while (n--)
    s += va_arg(everybodys, int);
  va_end(everybodys);
  return s;
}

static double product(int n, ...) {
  double p = 1;
  va_start(everybodys, n);
  while (n--)
    p *= va_arg(everybodys, double);
  va_end(everybodys);
  return p;
}

typedef int print(char *, size_t, const char *, va_list);

static int format(print *p, char *to, size_t n, const char *how, ...) {
  va_list list;
  va_start(list, how);
  int length = p(to, n, how, list);
  va_end(list);
  return length;
}

static void *reader(void *unused) {
  return va_arg(everybodys, int) == 7 ? unused : NULL;
}

static void lend(int n, ...) {
  pthread_t t;
  va_start(everybodys, n);
  pthread_create(&t, NULL, reader, NULL);
  pthread_join(t, NULL);
  va_end(everybodys);
}

int main(void) {
  char text[20];
  print *volatile p = vsnprintf;
  assert(sum(2, 1, 2) == 3);
  assert(sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) == 45);
  assert(product(3, 1.5, 2.0, 4.0) == 12);
  assert(format(p, text, sizeof text, "%d %s %g", 3, "x", 2.5) == 7);
  assert(strcmp(text, "3 x 2.5") == 0);
#ifdef LENT
  lend(1, 7);
#else
  (void)lend;
#endif
  return 0;
}
