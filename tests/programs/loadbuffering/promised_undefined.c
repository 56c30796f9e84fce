// SPDX-License-Identifier: MIT
// A promise that changes no value but which bits are defined: what is promised
// to `first` is an undefined 0 where it read a defined one, so what `first`
// stored for `second` is undefined now, and `second`, which has read that
// already, must be executed again as well.
// expect: rc11 ok 6; imm error uninitialized; armv8 error uninitialized; c11 error uninitialized
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

static atomic_int promised, ready, copy, seen;
static int out;

static void *first(void *unused) {
  int b = load(&promised);
  store(&copy, b);
  store(&ready, 1);
  return unused;
}

static void *second(void *unused) {
  int d = load(&copy);
  store(&seen, 1);
  if (d) // BUG
    out = 1;
  return unused;
}

static void *third(void *unused) {
  int *cell = malloc(sizeof *cell), undefined = *cell;
  if (load(&ready) && load(&seen))
    store(&promised, undefined);
  free(cell);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_create(&t[2], NULL, third, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  pthread_join(t[2], NULL);
}
