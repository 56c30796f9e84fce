// SPDX-License-Identifier: MIT
// The machine orders the free behind the read whose value is passed on, and not
// behind the read before it, although both are of the same thread.
// run: args=--races args=model sc,tso ok; armv8,riscv error free-race
// run: flags=-DONE args=--races args=model sc,tso,armv8,riscv ok
// run: flags=-DONE sc,rc11,armv8 error free-race
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *shared, seen;
static atomic_int done;

static void *look(void *arg) {
#ifndef ONE
  seen = *shared;
#endif
  int value = *shared;
  atomic_store_explicit(&done, value, memory_order_relaxed);
  return arg;
}

static void *drop(void *arg) {
  if (atomic_load_explicit(&done, memory_order_relaxed) == 1)
    free(shared); // BUG
  return arg;
}

int main(void) {
  pthread_t t, u;
  shared = malloc(sizeof *shared);
  *shared = 1;
  pthread_create(&t, 0, look, 0);
  pthread_create(&u, 0, drop, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
