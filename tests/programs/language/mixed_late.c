// SPDX-License-Identifier: MIT
// An update of a word, one of its second byte, and one of its upper half by
// main, which has joined a thread before: that it waits does not mean that it
// writes nothing any more (memory/late.c). The update of the word comes before
// or behind the one of the byte, and before or behind the one of the half; these
// two do not meet, and all of them succeed: 2 * 2 executions.
// run: args=--disable args=mixed-size sc,tso,pso,ra,rc11,c11,imm,armv8 ok 4
// run: args=--disable args=mixed-size xmm incomplete
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint32_t word;
  _Atomic uint16_t half[2];
  _Atomic uint8_t byte[4];
} u;
static atomic_int last;

static void *one(void *arg) {
  uint8_t zero = 0;
  atomic_compare_exchange_strong_explicit(
      &u.byte[1], &zero, 3, memory_order_relaxed, memory_order_relaxed);
  return arg;
}

static void *all(void *arg) {
  atomic_fetch_or_explicit(&u.word, 2, memory_order_relaxed);
  return arg;
}

static void *look(void *arg) {
  atomic_load_explicit(&last, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t s, t, v;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, all, 0);
  pthread_create(&v, 0, look, 0);
  pthread_join(v, 0);
  atomic_fetch_or_explicit(&u.half[1], 2, memory_order_relaxed);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
