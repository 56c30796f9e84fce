// SPDX-License-Identifier: MIT
// Memory that nobody freed and that no pointer leads to is a leak, as a
// warning.
// run: flags=-DLEAK sc,rc11 ok 1
// run: flags=-DLEAK args=--error=leak sc,rc11 error leak
// run: flags=-DREACHABLE args=--error=leak sc,rc11 ok 1
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

static struct node *list;
static uintptr_t tagged;

int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); // BUG
  a->next = b;
  b->next = NULL;
#ifdef REACHABLE
  list = a;
#else
  (void)list;
#endif
  struct node *c = malloc(sizeof *c);
  c->next = NULL;
  tagged = (uintptr_t)c | 1;
  free(malloc(8));
  return 0;
}
