// SPDX-License-Identifier: MIT
// Unless accesses are aligned, one that is as large as an update has not all of
// its bytes (memory/late.c). The update of the word comes before or behind the
// store to byte 0. Byte 1 has a compare-exchange that succeeds, the update, and
// a store to the bytes 1 to 4 in any order: 2 * 6. Two of these are not allowed:
// the update acquires what is stored to byte 0 if it comes right behind the
// compare-exchange, and is not before it then. Under sc and tso, nowhere behind.
// run: args=--disable args=mixed-size args=--disable args=misaligned rc11,ra ok 10; sc,tso ok 9
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Alignas(8) unsigned char bytes[8];
#define PART(type, at) ((_Atomic type *)(bytes + (at)))
static atomic_int go;

static void *two(void *arg) {
  uint8_t zero = 0;
  atomic_store_explicit(PART(uint8_t, 0), 5, memory_order_relaxed);
  atomic_compare_exchange_strong_explicit(PART(uint8_t, 1), &zero, 3,
                                          memory_order_release,
                                          memory_order_relaxed);
  return arg;
}

static void *all(void *arg) {
  atomic_fetch_or_explicit(PART(uint32_t, 0), 2, memory_order_acquire);
  return arg;
}

static void *beside(void *arg) {
  atomic_load_explicit(&go, memory_order_relaxed);
  atomic_store_explicit(PART(uint32_t, 1), 0, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, 0, two, 0);
  pthread_create(&u, 0, all, 0);
  pthread_create(&v, 0, beside, 0);
  return 0;
}
