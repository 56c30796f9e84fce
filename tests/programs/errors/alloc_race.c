// SPDX-License-Identifier: MIT
// Memory whose address comes through a pointer that was published without
// order: for who reads that pointer the object need not exist yet.
// run: flags=-DPUBLISH=rlx sc,tso,pso,ra,rc11,imm,armv8 error alloc-race
// run: flags=-DPUBLISH=rel sc,ra,rc11 ok
// run: flags=-DPUBLISH=rlx flags=-DUSE=atomic_store(r,18) sc,rc11 error alloc-race
// run: flags=-DPUBLISH=rlx flags=-DUSE=free((void*)r) sc,rc11 error alloc-race
#include "../common.h"

#ifndef USE
#define USE *r = 18
#endif

static _Atomic(atomic_int *) p;

static void *reader(void *unused) {
  atomic_int *r = load(&p, acq);
  if (r)
    USE; // BUG
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  store(&p, malloc(sizeof(atomic_int)), PUBLISH);
  pthread_join(t, NULL);
  return 0;
}
