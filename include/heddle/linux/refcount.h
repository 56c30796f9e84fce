// SPDX-License-Identifier: MIT
// Counts of references. Getting one orders nothing; putting one releases, and
// the last put acquires. What the kernel warns of and survives by saturation (a
// reference to what is gone, one put too many) is an error.
#pragma once

#include <linux/bug.h>

typedef struct refcount_struct {
  atomic_t refs;
} refcount_t;
#define REFCOUNT_INIT(n)                                                       \
  { ATOMIC_INIT(n) }

static inline void refcount_set(refcount_t *r, int n) {
  atomic_set(&r->refs, n);
}

static inline unsigned refcount_read(const refcount_t *r) {
  return (unsigned)atomic_read(&r->refs);
}

static inline bool refcount_add_not_zero(int i, refcount_t *r) {
  int old = refcount_read(r);
  while (old && !atomic_try_cmpxchg_relaxed(&r->refs, &old, old + i))
    ;
  return old;
}

static inline bool refcount_inc_not_zero(refcount_t *r) {
  return refcount_add_not_zero(1, r);
}

static inline void refcount_add(int i, refcount_t *r) {
  int old = atomic_fetch_add_relaxed(i, &r->refs);
  BUG_ON(old <= 0); // use after free
}

static inline void refcount_inc(refcount_t *r) {
  refcount_add(1, r);
}

// (Each put acquires here. In the kernel the last one has a barrier for loads,
// and the branch orders what frees the object; to the model, a branch alone
// orders no plain access.)
static inline bool refcount_sub_and_test(int i, refcount_t *r) {
  int old = __atomic_fetch_sub(&r->refs.counter, i, __ATOMIC_ACQ_REL);
  BUG_ON(old < i); // one put too many
  return old == i;
}

static inline bool refcount_dec_and_test(refcount_t *r) {
  return refcount_sub_and_test(1, r);
}

static inline void refcount_dec(refcount_t *r) {
  int old = atomic_fetch_sub_release(1, &r->refs);
  BUG_ON(old <= 1); // it must not be the last one
}

static inline bool refcount_dec_not_one(refcount_t *r) {
  int old = refcount_read(r);
  while (old != 1 && !atomic_try_cmpxchg_release(&r->refs, &old, old - 1))
    ;
  return old != 1;
}

static inline bool refcount_dec_and_lock(refcount_t *r, spinlock_t *lock) {
  if (refcount_dec_not_one(r))
    return false;
  spin_lock(lock);
  if (refcount_dec_and_test(r))
    return true;
  spin_unlock(lock);
  return false;
}
