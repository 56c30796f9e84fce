// SPDX-License-Identifier: MIT
// Barriers that C does not have: an object is published behind a barrier for
// stores, and followed by its address, or read behind a barrier for loads. C11
// knows no such order; the machines do. When the last reader is done (a fence
// and a relaxed counter, which C11 does not take for synchronisation without an
// acquire), the object is freed.
// run: flags=--target=aarch64-linux-gnu rc11 error race; armv8 error race
// run: flags=--target=aarch64-linux-gnu args=--races args=model sc ok; tso ok; armv8 ok; armv7 ok; power ok; riscv ok; rc11 error race
// run: flags=--target=aarch64-linux-gnu flags=-DNO_STORES args=--races args=model sc ok; tso ok; armv8 error race; armv7 error race; power error race; riscv error race
// run: flags=--target=aarch64-linux-gnu flags=-DNO_LOADS args=--races args=model tso ok; armv8 error race; armv7 error race; power error race; riscv error race
// run: flags=--target=aarch64-linux-gnu flags=-DNO_WAIT args=--races args=model sc error free-race; tso error free-race; armv8 error free-race
// run: flags=--target=aarch64-linux-gnu flags=-DNO_WAIT args=--races args=off sc error free-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define dmb(which) __asm__ volatile("dmb " #which ::: "memory")

struct item {
  int value;
};

static struct item *_Atomic published;
static int beside;
static atomic_int done;

static void *writer(void *arg) {
  struct item *i = malloc(sizeof *i);
  i->value = 1; // BUG
  beside = 2;   // BUG
#ifndef NO_STORES
  dmb(ishst);
#endif
  atomic_store_explicit(&published, i, memory_order_relaxed);
#ifndef NO_WAIT
  if (atomic_load_explicit(&done, memory_order_relaxed))
#endif
  {
    dmb(ish);
    free(i); // BUG
  }
  return arg;
}

static void *reader(void *arg) {
  struct item *i = atomic_load_explicit(&published, memory_order_relaxed);
  if (i) {
    assert(i->value == 1); // BUG
#ifndef NO_LOADS
    dmb(ishld);
#endif
    assert(beside == 2); // BUG
    dmb(ish);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
  }
  return arg;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, 0, writer, 0);
  pthread_create(&r, 0, reader, 0);
  pthread_join(w, 0);
  pthread_join(r, 0);
  return 0;
}
