// SPDX-License-Identifier: MIT
// memset fills padding too, whether its size is known or not.
// expect: sc ok 1; rc11 ok 1
// run: flags=-DSIZE=n sc,rc11 ok 1
// run: flags=-DSIZE=2 sc,rc11 error uninitialized
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct padded {
  char c;
  int i;
  short s;
};

#ifndef SIZE
#define SIZE sizeof *p
#endif

int main(void) {
  size_t n = sizeof(struct padded);
  struct padded *p = malloc(sizeof *p), *q = calloc(1, sizeof *q);
  memset(p, 0, SIZE);
  assert(memcmp(p, q, n) == 0); // BUG
  assert(((char *)p)[1] == 0 && ((char *)p)[11] == 0);
  free(p);
  free(q);
  return 0;
}
