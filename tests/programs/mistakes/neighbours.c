// SPDX-License-Identifier: MIT
// An access that leaves its object is an error even when another object may lie
// where it goes: of the heap, of the globals, near and far. A pointer past the
// end may be made and compared.
// run: flags=-DDO=a[4]=1 sc,rc11 error out-of-bounds
// run: flags=-DDO=b[-4]=1 sc,rc11 error out-of-bounds
// run: flags=-DDO=first[4]=1 sc,rc11 error out-of-bounds
// run: flags=-DDO=memset(a,0,20) sc,rc11 error out-of-bounds
// run: flags=-DDO=free(b);a[8]=1 sc,rc11 error out-of-bounds
// run: flags=-DDO=assert(a+4!=b||a[3]==0) sc,rc11 ok
#include "../common.h"
#include <string.h>

static int first[4], second[4];

int main(void) {
  int *a = calloc(4, sizeof *a), *b = calloc(4, sizeof *b);
  second[0] = 1;
  DO;
  return 0;
}
