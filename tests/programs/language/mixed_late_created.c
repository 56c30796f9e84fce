// SPDX-License-Identifier: MIT
// As mixed_late.c, but main creates another thread behind its join, which
// makes the update of the half: 2 * 2 executions.
// run: args=--disable args=mixed-size sc,tso,pso,ra,rc11,c11,imm,armv8 ok 4
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

static void *later(void *arg) {
  atomic_fetch_or_explicit(&u.half[1], 2, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t s, t, v, w;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, all, 0);
  pthread_create(&v, 0, look, 0);
  pthread_join(v, 0);
  pthread_create(&w, 0, later, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  pthread_join(w, 0);
  return 0;
}
