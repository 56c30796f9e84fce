// SPDX-License-Identifier: MIT
// A value that was never set must not decide anything; copying it is fine.
// run: flags=-DUSE=if(local)x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=x=array[local] sc,rc11 error uninitialized
// run: flags=-DUSE=assert(local==0) sc,rc11 error uninitialized
// run: flags=-DUSE=if(*heap)x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=if(heap[0]+1>0)x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=x=local sc,rc11 ok
// run: flags=-DUSE=local=1;if(local)x=1 sc,rc11 ok
// run: flags=-DUSE=if(global)x=1 sc,rc11 ok
#include "../common.h"

static int x, global, array[2];

int main(void) {
  int local;
  int *heap = malloc(sizeof *heap);
  USE; // BUG
  free(heap);
  (void)array;
  (void)global;
  return 0;
}
