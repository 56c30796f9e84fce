// SPDX-License-Identifier: MIT
// What a thread may still write (bytecode/analysis/writes.c) is also what comes
// behind the setjmp to which it goes back. An update of a word and one of its
// second byte, which may come before or behind it, as may one of its third
// byte, made by a thread that has come back: 2 * 2 executions.
// run: args=--disable args=mixed-size sc,tso,pso,ra,rc11,c11,imm,armv8 ok 4
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint32_t word;
  _Atomic uint8_t byte[4];
} u;
static atomic_int go;

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

static void *back(void *arg) {
  jmp_buf begin;
  if (setjmp(begin)) {
    atomic_fetch_or_explicit(&u.byte[2], 2, memory_order_relaxed);
    return arg;
  }
  atomic_load_explicit(&go, memory_order_relaxed);
  longjmp(begin, 1);
}

int main(void) {
  pthread_t s, t, v;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, all, 0);
  pthread_create(&v, 0, back, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  pthread_join(v, 0);
  return 0;
}
