// SPDX-License-Identifier: MIT
// An access that begins inside of its object and ends outside is out of bounds.
// run: flags=-DSIZE=6 sc,rc11,imm error out-of-bounds
// run: flags=-DSIZE=8 sc,rc11,imm ok 1
#include "../common.h"

static int *cells;

static void *thread(void *unused) {
  cells[1] = 1;
  return unused;
}

int main(void) {
  cells = malloc(SIZE);
  run(1, thread);
  free(cells);
  return 0;
}
