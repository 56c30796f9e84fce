// SPDX-License-Identifier: MIT
// Filling and copying shared memory takes time that is linear in its size:
// 8.6 s for 32 kB once.
// run: big args=--max-time args=4 rc11 ok 1
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 32 << 10 };

int main(void) {
  char *a = malloc(SIZE), *b = malloc(SIZE);
  memset(a, 7, SIZE);
  memcpy(b, a, SIZE);
  assert(b[SIZE - 1] == 7);
  free(a);
  free(b);
  return 0;
}
