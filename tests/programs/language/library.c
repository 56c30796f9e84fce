// SPDX-License-Identifier: MIT
// The C library as far as single-threaded code sees it.
// expect: sc,rc11 ok 1
#include "../common.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static int sum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int total = 0;
  for (int i = 0; i < n; i++)
    total += va_arg(ap, int);
  va_end(ap);
  return total;
}

static void strings(void) {
  char text[32] = "heddle";
  assert(strlen(text) == 6 && strcmp(text, "heddl") > 0);
  strcat(text, "s");
  assert(strcmp(text, "heddles") == 0 && strchr(text, 'd') == text + 2);
  assert(strncmp(text, "hedge", 3) == 0 && strstr(text, "dle") == text + 3);
  memmove(text + 1, text, 4);
  assert(memcmp(text, "hheddes", 7) == 0);
  memset(text, 'z', 3);
  assert(text[2] == 'z' && text[3] == 'd');
  assert(isdigit('7') && !isalpha('7') && toupper('q') == 'Q');
  assert(atoi("-42") == -42 && strtol("ff", NULL, 16) == 255);
}

static void heap(void) {
  int *a = malloc(4 * sizeof *a);
  for (int i = 0; i < 4; i++)
    a[i] = (7 * i + 3) % 4;
  a = realloc(a, 6 * sizeof *a);
  a[4] = 9;
  a[5] = -1;
  qsort(a, 6, sizeof *a, compare);
  for (int i = 0; i < 5; i++)
    assert(a[i] <= a[i + 1]);
  int key = 9;
  assert(bsearch(&key, a, 6, sizeof *a, compare) == &a[5]);
  free(a);
  long *zeroed = calloc(3, sizeof *zeroed);
  assert(zeroed[0] == 0 && zeroed[2] == 0);
  free(zeroed);
  void *aligned = aligned_alloc(64, 128);
  assert((uintptr_t)aligned % 64 == 0);
  free(aligned);
  free(NULL);
}

int main(void) {
  strings();
  heap();
  assert(sum(4, 1, 2, 3, 4) == 10);
  char line[64];
  int n = snprintf(line, sizeof line, "%d %5.2f %s %c %#x|%-4d|", -3, 2.5, "ab",
                   'c', 255u, 7);
  assert(n == (int)strlen(line));
  assert(strcmp(line, "-3  2.50 ab c 0xff|7   |") == 0);
  printf("%s %ld\n", line, 1L << 40);
  puts("done");
  return 0;
}
