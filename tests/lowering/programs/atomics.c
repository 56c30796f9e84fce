// Atomic operations of all kinds, in one thread.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

struct pair {
  int a, b;
};
struct wide {
  long a, b;
};

atomic_int i = 5;
_Atomic unsigned char c = 250;
_Atomic double d = 1.5;
_Atomic float f = 0.5f;
_Atomic long l;
int array[8];
_Atomic(int *) p = &array[1];
_Atomic bool flag;
_Atomic struct pair pair;
_Atomic struct wide wide;
atomic_flag lock = ATOMIC_FLAG_INIT;
int plain = 3;

static bool swap(atomic_int *at, int *expected, int wanted) {
  return atomic_compare_exchange_weak_explicit(
      at, expected, wanted, memory_order_acq_rel, memory_order_acquire);
}

static int load(atomic_int *at, memory_order order) {
  return atomic_load_explicit(at, order);
}

int main(void) {
  printf("%d %d\n", atomic_fetch_add(&i, 3), atomic_load(&i));
  printf("%d %d\n", atomic_fetch_sub(&i, 1), i);
  printf("%d %d %d\n", atomic_fetch_or(&i, 8), atomic_fetch_and(&i, 13),
         atomic_fetch_xor(&i, 6));
  printf("%d %d\n", atomic_exchange(&i, 77), i);
  i *= 3;
  i -= 10;
  i /= 2;
  i <<= 1;
  i %= 100;
  printf("%d %d %d\n", i++, --i, (i |= 64));
  c += 10;
  c *= 3;
  printf("%d\n", c);
  d += 0.25;
  d *= 2;
  f /= 2;
  printf("%g %g\n", d, (double)f);
  p++;
  p++;
  p--;
  p++, p++;
  *p = 9;
  printf("%d %d\n", array[4], (int)(p - array));
  flag = true;
  flag ^= 1;
  flag |= 1;
  printf("%d\n", flag);
  int e = 1;
  bool ok = swap(&i, &e, 4);
  printf("%d %d\n", ok, e);
  ok = swap(&i, &e, 4);
  printf("%d %d %d\n", ok, e, i);
  struct pair was = {1, 2}, now = {3, 4};
  atomic_store(&pair, was);
  printf("%d\n", atomic_compare_exchange_strong(&pair, &was, now));
  printf("%d\n", atomic_compare_exchange_strong(&pair, &was, now));
  now = atomic_load(&pair);
  printf("%d %d\n", was.a, now.b);
  struct wide w = {10, 20}, expected = {0, 0};
  printf("%d\n", atomic_compare_exchange_strong(&wide, &expected, w));
  printf("%d\n", atomic_compare_exchange_strong(&wide, &w, expected));
  struct wide seen = atomic_load(&wide);
  printf("%ld\n", seen.b);
  w = atomic_exchange(&wide, ((struct wide){5, 6}));
  seen = atomic_load(&wide);
  printf("%ld %ld\n", w.a, seen.a);
  printf("%d", atomic_flag_test_and_set(&lock));
  printf(" %d\n", atomic_flag_test_and_set(&lock));
  atomic_flag_clear(&lock);
  printf("%d %d\n", load(&i, memory_order_relaxed),
         load(&i, memory_order_seq_cst));
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
  printf("%d %d\n", __sync_fetch_and_add(&plain, 4),
         __sync_add_and_fetch(&plain, 1));
  printf("%d %d\n", __atomic_fetch_nand(&plain, 6, __ATOMIC_RELAXED), plain);
  printf("%d %d\n", __sync_val_compare_and_swap(&plain, plain, 1), plain);
  atomic_int local = 2;
  local += 5;
  printf("%d\n", atomic_fetch_add(&local, 1) + local);
  l = 1;
  printf("%ld\n", l += 41);
  return 0;
}
