// SPDX-License-Identifier: MIT
// Accesses through pointers that point to nothing good.
// run: flags=-DACCESS=*null=1 sc,rc11 error null-pointer
// run: flags=-DACCESS=(void)*null sc,rc11 error null-pointer
// run: flags=-DACCESS=null[5]=1 sc,rc11 error null-pointer
// run: flags=-DACCESS=__atomic_store_n(null,1,__ATOMIC_RELAXED) sc,rc11 error null-pointer
// run: flags=-DACCESS=*wild=1 sc,rc11 error wild-pointer
// run: flags=-DACCESS=heap[4]=1 sc,rc11 error out-of-bounds
// run: flags=-DACCESS=heap[-1]=1 sc,rc11 error out-of-bounds
// run: flags=-DACCESS=heap[1000]=1 sc,rc11 error out-of-bounds
// run: flags=-DACCESS=heap[index]=1 sc,rc11 error out-of-bounds
// run: flags=-DACCESS=global[index]=1 sc,rc11 error out-of-bounds
// run: flags=-DACCESS=(void)global[-1] sc,rc11 error out-of-bounds
// run: flags=-DACCESS=shared_local[index]=1 sc,rc11 error out-of-bounds
// run: flags=-DACCESS=local[index]=1 sc,rc11 error out-of-bounds
// run: 'flags=-DACCESS=*(int*)"text"=1' sc,rc11 error read-only
// run: flags=-DACCESS=*(int*)&constant=1 sc,rc11 error read-only
// run: flags=-DACCESS=heap[3]=global[3]=shared_local[3]=local[3]=1 sc,rc11 ok
#include "../common.h"

static int global[4], neighbour[4];
static const int constant = 3;
static atomic_int index = 4;
static int *null, *escaped;

static void *thread(void *unused) {
  int *wild = (int *)(uintptr_t)0x123456789abc;
  int *heap = malloc(4 * sizeof *heap);
  int *other = malloc(4 * sizeof *other);
  int shared_local[4], local[4] = {0};
  escaped = shared_local;
  ACCESS; // BUG
  free(heap);
  free(other);
  (void)wild;
  (void)local;
  return unused;
}

int main(void) {
  neighbour[0] = 1;
  run(1, thread);
  return 0;
}
