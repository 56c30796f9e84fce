// SPDX-License-Identifier: MIT
// Memory that is cleared or copied before anybody knows what it is used for.
// run: flags=-DHOW=xzalloc sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DHOW=xmemdup sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DHOW=grown sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DHOW=xzalloc flags=-DRACE sc,rc11,imm error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int number;
  char letter;
  short small;
  long large;
};

static void *xzalloc(size_t n) {
  void *p = malloc(n);
  memset(p, 0, n);
  return p;
}

static void *copy(const void *from, size_t n) {
  void *p = malloc(n);
  memcpy(p, from, n);
  return p;
}

static void *xmemdup(size_t n) {
  struct node zero = {0};
  return copy(&zero, n);
}

static void *grown(size_t n) {
  struct node *p = calloc(1, n);
  p->number = 0;
  return realloc(p, 2 * n);
}

static _Atomic(struct node *) shared;

static void *reader(void *arg) {
  struct node *p = atomic_load_explicit(&shared, memory_order_acquire);
  if (p)
    assert(p->number == 1 && p->letter == 2 && p->small == 3); // BUG
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  struct node *p = HOW(sizeof *p);
  assert(!p->number && !p->letter && !p->small && !p->large);
  p->number = 1;
  p->letter = 2;
  p->small = 3;
  atomic_store_explicit(&shared, p, memory_order_release);
#ifdef RACE
  p->letter = 2; // BUG
#endif
  pthread_join(t, NULL);
  free(p);
  return 0;
}
