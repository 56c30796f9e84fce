// SPDX-License-Identifier: MIT
// A thread has stopped with something old, and no thread will write any more.
// But one will free what the failed round has read, or a variable will end with
// its function or its thread: nothing orders that with the read.
// run: sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error free-race
// run: flags=-DSTACK sc,rc11,imm,armv8 error free-race
// run: flags=-DLOCAL sc,rc11,imm,armv8 error free-race
#include "../common.h"

static atomic_int x, y;
static int *_Atomic p;

static void *reader(void *unused) {
  while (load(&x, rlx) == 0)
    if (load(&p, acq) && *load(&p, rlx) == 5) // BUG
      break;
  return unused;
}

#ifdef LOCAL
static _Thread_local int thread_local_v;
#endif

static void *owner(void *unused) { // BUG
#ifdef STACK
  int on_stack = 1, *v = &on_stack;
#elif defined LOCAL
  int *v = &thread_local_v;
#else
  int *v = malloc(sizeof *v);
#endif
  *v = 1;
  store(&p, v, rel);
  store(&x, 1, rlx);
  load(&y, rlx);
#if !defined STACK && !defined LOCAL
  free(v); // BUG
#endif
  return unused; // BUG
} // BUG

int main(void) {
  pthread_t r, o;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&o, NULL, owner, NULL);
  pthread_join(r, NULL);
  pthread_join(o, NULL);
}
