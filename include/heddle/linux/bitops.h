// SPDX-License-Identifier: MIT
// Bits of words: atomic, and with two underscores in front, plain.
#pragma once

#include <linux/compiler.h>

#define BITS_PER_LONG (8 * (int)sizeof(long))
#define BIT(n) (1UL << (n))
#define BIT_MASK(n) (1UL << ((n) % BITS_PER_LONG))
#define BIT_WORD(n) ((n) / BITS_PER_LONG)
#define __BIT_AT(n, at) ((atomic_long_t *)(at) + BIT_WORD(n))

static inline void set_bit(long n, volatile unsigned long *at) {
  atomic_long_or((long)BIT_MASK(n), __BIT_AT(n, at));
}

static inline void clear_bit(long n, volatile unsigned long *at) {
  atomic_long_andnot((long)BIT_MASK(n), __BIT_AT(n, at));
}

static inline void change_bit(long n, volatile unsigned long *at) {
  atomic_long_xor((long)BIT_MASK(n), __BIT_AT(n, at));
}

static inline bool test_bit(long n, const volatile unsigned long *at) {
  return READ_ONCE(at[BIT_WORD(n)]) & BIT_MASK(n);
}

static inline bool test_bit_acquire(long n, const volatile unsigned long *at) {
  return smp_load_acquire(at + BIT_WORD(n)) & BIT_MASK(n);
}

static inline bool test_and_set_bit(long n, volatile unsigned long *at) {
  return (unsigned long)atomic_long_fetch_or((long)BIT_MASK(n),
                                             __BIT_AT(n, at)) &
         BIT_MASK(n);
}

static inline bool test_and_clear_bit(long n, volatile unsigned long *at) {
  return (unsigned long)atomic_long_fetch_andnot((long)BIT_MASK(n),
                                                 __BIT_AT(n, at)) &
         BIT_MASK(n);
}

static inline bool test_and_change_bit(long n, volatile unsigned long *at) {
  return (unsigned long)atomic_long_fetch_xor((long)BIT_MASK(n),
                                              __BIT_AT(n, at)) &
         BIT_MASK(n);
}

static inline bool test_and_set_bit_lock(long n, volatile unsigned long *at) {
  return (unsigned long)atomic_long_fetch_or_acquire((long)BIT_MASK(n),
                                                     __BIT_AT(n, at)) &
         BIT_MASK(n);
}

static inline void clear_bit_unlock(long n, volatile unsigned long *at) {
  (void)atomic_long_fetch_andnot_release((long)BIT_MASK(n), __BIT_AT(n, at));
}

static inline void __set_bit(long n, unsigned long *at) {
  at[BIT_WORD(n)] |= BIT_MASK(n);
}

static inline void __clear_bit(long n, unsigned long *at) {
  at[BIT_WORD(n)] &= ~BIT_MASK(n);
}

static inline bool __test_and_set_bit(long n, unsigned long *at) {
  bool was = at[BIT_WORD(n)] & BIT_MASK(n);
  __set_bit(n, at);
  return was;
}

static inline void bit_spin_lock(long n, unsigned long *at) {
  while (test_and_set_bit_lock(n, at))
    while (test_bit(n, at))
      cpu_relax();
}

static inline bool bit_spin_trylock(long n, unsigned long *at) {
  return !test_and_set_bit_lock(n, at);
}

static inline void bit_spin_unlock(long n, unsigned long *at) {
  clear_bit_unlock(n, at);
}
