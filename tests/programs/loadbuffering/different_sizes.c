// SPDX-License-Identifier: MIT
// Load buffering through accesses of different size to the same word is not
// explored, and the answer says so, unless something orders the accesses.
// run: c11,xmm,imm,armv8 incomplete 3
// run: flags=-DORDER=memory_order_acquire rc11,xmm,imm,armv8 ok 3
// run: flags=-DFENCE rc11,xmm,imm,armv8 ok 3
// run: sc,rc11 ok 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static union {
  _Atomic uint32_t word;
  _Atomic uint16_t half[2];
} x;
static atomic_int y;
static int r1, r2;

static void *reads_word(void *arg) {
  r1 = (int)atomic_load_explicit(&x.word, ORDER);
#ifdef FENCE
  atomic_thread_fence(memory_order_acq_rel);
#endif
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return arg;
}

static void *writes_half(void *arg) {
  r2 = atomic_load_explicit(&y, ORDER);
#ifdef FENCE
  atomic_thread_fence(memory_order_acq_rel);
#endif
  atomic_store_explicit(&x.half[0], 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, reads_word, NULL);
  pthread_create(&t[1], NULL, writes_half, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(!(r1 == 1 && r2 == 1));
  return 0;
}
