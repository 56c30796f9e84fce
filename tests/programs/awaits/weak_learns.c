// SPDX-License-Identifier: MIT
// A weak compare-exchange that fails although it finds what it expects is not
// only tried again: the thread learns from it what another one has written.
// expect: sc,tso,rc11,imm,armv8 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, word;
static int data;

static void *write_data(void *arg) {
  while (!atomic_load_explicit(&ready, memory_order_acquire))
    ;
  data = 5;
  atomic_store_explicit(&word, 7, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t id;
  int expected = 7, before;
  data = 1;
  pthread_create(&id, NULL, write_data, NULL);
  before = data;
  atomic_store_explicit(&ready, before, memory_order_release);
  while (!atomic_compare_exchange_weak_explicit(
      &word, &expected, 8, memory_order_acquire, memory_order_acquire)) {
    if (expected == 7)
      assert(data == before); // BUG
    expected = 7;
  }
  pthread_join(id, NULL);
}
