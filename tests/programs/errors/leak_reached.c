// SPDX-License-Identifier: MIT
// What counts as a pointer that still leads to memory (P). A leak is an error
// here.
//
//  1  a pointer past the end leads to the object (L1)
//  2  so does the high half of a 16-byte value (L2)
//  3  objects to which only lost ones lead, here each other, are lost (L3)
//  4  tags in the high bits do not matter (L4)
//  5  nor is any number a pointer
//  6  a list that a global leads to is there as a whole
//
// args: --error leak
// run: flags=-DP=1 sc,rc11 ok 1
// run: flags=-DP=2 sc,rc11 ok 1
// run: flags=-DP=3 sc,rc11 error leak
// run: flags=-DP=4 sc,rc11 ok 1
// run: flags=-DP=5 sc,rc11 error leak
// run: flags=-DP=6 sc,rc11 ok 1
#include "../common.h"

static char *end;
static struct pair {
  uint64_t low, high;
} pair;
static _Atomic struct pair both;
static uint64_t number;
static struct node {
  struct node *next;
} *list;

int main(void) {
#if P == 1
  end = malloc(8);
  end += 8;
#elif P == 2
  atomic_store(&both, ((struct pair){1, (uint64_t)malloc(8)}));
#elif P == 3
  struct node *n = malloc(sizeof *n);
  n->next = malloc(sizeof *n);
  n->next->next = n;
#elif P == 4
  number = (uint64_t)malloc(8) | UINT64_C(0xabcd) << 48;
#elif P == 5
  number = (uint64_t)malloc(8) + 64;
#elif P == 6
  list = malloc(sizeof *list);
  list->next = malloc(sizeof *list);
  list->next->next = NULL;
#endif
  (void)pair;
  return 0;
}
