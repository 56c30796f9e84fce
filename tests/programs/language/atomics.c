// SPDX-License-Identifier: MIT
// Atomics of all types and notations, in one thread.
// expect: sc,rc11 ok 1
#include "../common.h"

struct two {
  int a, b;
};

static _Atomic struct two pair;
static _Atomic double real = 1.5;
static _Atomic(int *) pointer;
static _Atomic unsigned char byte = 255;
static atomic_bool flag;
static atomic_flag lamp = ATOMIC_FLAG_INIT;
static atomic_long wide = 1;
static int plain, array[4];

static void c11(void) {
  atomic_store(&pair, ((struct two){1, 2}));
  struct two seen = atomic_load(&pair);
  assert(seen.a == 1 && seen.b == 2);
  real += 1;
  real *= 2;
  assert(real == 5);
  pointer = array;
  pointer++;
  assert(atomic_fetch_add(&pointer, 2) == array + 1 && pointer == array + 3);
  byte++;
  assert(byte == 0 && --byte == 255);
  assert(!atomic_exchange(&flag, true) && flag);
  assert(!atomic_flag_test_and_set(&lamp) && atomic_flag_test_and_set(&lamp));
  atomic_flag_clear(&lamp);
  wide *= 6;
  wide |= 1;
  wide <<= 2;
  assert(wide == 28 && (wide ^= 4) == 24 && wide-- == 24);
  long expected = 1;
  assert(!atomic_compare_exchange_strong(&wide, &expected, 5));
  assert(expected == 23);
  assert(atomic_compare_exchange_strong(&wide, &expected, 5) && wide == 5);
}

static void builtins(void) {
  assert(__atomic_fetch_add(&plain, 5, __ATOMIC_RELAXED) == 0);
  assert(__atomic_add_fetch(&plain, 5, __ATOMIC_SEQ_CST) == 10);
  assert(__atomic_fetch_nand(&plain, 2, __ATOMIC_ACQ_REL) == 10);
  assert(plain == ~2);
  __atomic_store_n(&plain, 3, __ATOMIC_RELEASE);
  int out;
  __atomic_load(&plain, &out, __ATOMIC_ACQUIRE);
  assert(out == 3 && __sync_val_compare_and_swap(&plain, 3, 4) == 3);
  assert(__sync_fetch_and_or(&plain, 3) == 4);
  assert(__sync_bool_compare_and_swap(&plain, 7, 8));
  __sync_synchronize();
  __sync_lock_release(&plain);
  assert(plain == 0 && __sync_lock_test_and_set(&plain, 1) == 0);
  atomic_signal_fence(memory_order_seq_cst);
}

int main(void) {
  c11();
  builtins();
  return 0;
}
