// SPDX-License-Identifier: MIT
// Atomic accesses of different size to the same bytes that nothing orders: what
// a byte of it is used for makes pieces of a word, but it is seen as a whole.
// A compare-exchange of it that fails orders as its failure says.
// run: flags=-DWHAT=torn sc,tso,pso,ra,rc11,imm,armv8 ok
// run: flags=-DWHAT=torn flags=-DHALVES sc,tso,pso,ra,rc11,imm,armv8 error assertion
// run: flags=-DWHAT=fails flags=-DFAILURE=acquire sc,ra,rc11 ok
// run: flags=-DWHAT=fails flags=-DFAILURE=relaxed sc ok
// run: flags=-DWHAT=fails flags=-DFAILURE=relaxed ra,rc11 error assertion
// args: --disable mixed-size
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#ifndef FAILURE
#define FAILURE relaxed
#endif

static union {
  _Atomic uint16_t word;
  _Atomic uint8_t byte[2];
} u;
static atomic_int data;

static void *look_at_byte(void *unused) {
  atomic_load_explicit(&u.byte[1], memory_order_relaxed);
  return unused;
}

static void *write_word(void *unused) {
#ifdef HALVES
  atomic_store_explicit(&u.byte[0], 1, memory_order_relaxed);
  atomic_store_explicit(&u.byte[1], 1, memory_order_relaxed);
#else
  atomic_store_explicit(&u.word, 0x0101, memory_order_relaxed);
#endif
  return unused;
}

static void torn(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, write_word, NULL);
  pthread_create(&b, NULL, look_at_byte, NULL);
  uint16_t seen = atomic_load_explicit(&u.word, memory_order_relaxed);
  assert(seen == 0 || seen == 0x0101);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}

static void *publish(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&u.word, 0x0101, memory_order_release);
  return unused;
}

static void fails(void) {
  pthread_t a, b;
  uint16_t seen = 7;
  pthread_create(&a, NULL, publish, NULL);
  pthread_create(&b, NULL, look_at_byte, NULL);
  atomic_compare_exchange_strong_explicit(&u.word, &seen, 8,
                                          memory_order_acquire,
                                          CAT(memory_order_, FAILURE));
  if (seen == 0x0101)
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}

int main(void) {
  (void)torn, (void)fails;
  WHAT();
  return 0;
}
