// SPDX-License-Identifier: MIT
// GenMC's hazard pointers: a stack whose nodes are retired by who pops them. With
// BUG a reader looks at the top without protecting it.
// expect: sc,rc11,imm,armv8 ok
// run: flags=-DNOT_CLEARED rc11 ok
// run: flags=-DBUG sc,rc11,imm,armv8 error free-race
// run: flags=-DSTATIC rc11 ok
// run: flags=-DCLEARED rc11 error free-race
#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static _Atomic(struct node *) top;
#ifdef STATIC
static __VERIFIER_hp_t hazards[2];
#endif

static void *pop(void *arg) {
  __VERIFIER_hp_t *h = __VERIFIER_hp_alloc();
  struct node *n = __VERIFIER_hp_protect(h, &top);
  if (n && atomic_compare_exchange_strong(&top, &n, n->next))
    __VERIFIER_hp_retire(n);
#ifndef NOT_CLEARED
  __VERIFIER_hp_free(h);
#endif
  return arg;
}

static void *look(void *arg) {
#ifdef STATIC
  __VERIFIER_hp_t *h = &hazards[1];
#else
  __VERIFIER_hp_t *h = __VERIFIER_hp_alloc();
#endif
#ifdef BUG
  struct node *n = atomic_load(&top);
#else
  struct node *n = __VERIFIER_hp_protect(h, &top);
#endif
#ifdef CLEARED
  __VERIFIER_hp_clear(h);
#endif
  if (n)
    assert(n->value == 42); // BUG
  __VERIFIER_hp_free(h);
  return arg;
}

int main(void) {
  pthread_t t, u;
  struct node *n = malloc(sizeof *n);
  n->value = 42;
  n->next = 0;
  atomic_init(&top, n);
  pthread_create(&t, 0, pop, 0);
  pthread_create(&u, 0, look, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
