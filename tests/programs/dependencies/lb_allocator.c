// SPDX-License-Identifier: MIT
// Load buffering around an allocator. What malloc does depends on the size, and
// what free does on its pointer, so what follows them waits for what was read,
// whether the value makes a difference or not.
//
//  DOES 0  nothing            1  malloc of so many bytes     2  of always one
//       3  free, or not       4  free, always of the same    5  a local array
//
// run: flags=-DDOES=0 sc,rc11 ok 3; imm,armv8 ok 4
// run: flags=-DDOES=1 sc,rc11,imm,armv8 ok 3
// run: flags=-DDOES=2 sc,rc11,imm,armv8 ok 3
// run: flags=-DDOES=3 sc,rc11,imm,armv8 ok 3
// run: flags=-DDOES=4 sc,rc11,imm,armv8 ok 3
// run: flags=-DDOES=5 sc,rc11,imm,armv8 ok 3
#include "../common.h"

static atomic_int x, y;
static char *_Atomic where;

static void *left(void *unused) {
  char *p = malloc(1), *more = NULL;
  int n = load(&x, rlx);
  switch (DOES) {
  case 1:
    more = malloc((size_t)n + 1);
    break;
  case 2:
    more = malloc((size_t)(n ^ n) + 1);
    break;
  case 3:
    free(n ? p : NULL);
    break;
  case 4:
    free(p + (n ^ n));
    break;
  }
#if DOES == 5
  char array[1 + (n ^ n)];
  store(&where, array, rlx);
#endif
  store(&y, 1, rlx);
  if (DOES < 3 || DOES == 5 || (DOES == 3 && !n))
    free(p);
  free(more);
  return unused;
}

static void *right(void *unused) {
  store(&x, load(&y, rlx), rlx);
  return unused;
}

int main(void) {
  pthread_t l, r;
  pthread_create(&l, NULL, left, NULL);
  pthread_create(&r, NULL, right, NULL);
  pthread_join(l, NULL);
  pthread_join(r, NULL);
  return 0;
}
