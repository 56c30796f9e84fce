// SPDX-License-Identifier: MIT
// The functions that Dartagnan's headers for kernel code are made of. An order
// is a number of its enumeration. There are two families: older headers are
// about int, newer ones say how many bytes an access has.
#define __HEDDLE_LKMM_RT__
#include <lkmm.h>

#include "builtin.h"

enum {
  RELAXED,
  ONCE,
  ACQUIRE,
  RELEASE,
  FULL,
  WRITES,
  READS,
  SECTION_BEGINS,
  SECTION_ENDS,
  GRACE_PERIOD,
  BEFORE_ATOMIC,
  AFTER_ATOMIC,
  AFTER_SPINLOCK,
  COMPILER,
};
enum { OP_ADD, OP_SUB, OP_AND, OP_OR };

typedef long value;

static _Noreturn void refuse(const char *what) {
  __heddle_fail(FIND_UNSUPPORTED, what);
}

// -- by order; the size is that of *at

#define LOAD(at, order)                                                        \
  ((order) == ACQUIRE ? __atomic_load_n((at), __ATOMIC_ACQUIRE)                \
                      : __atomic_load_n((at), __ATOMIC_RELAXED))
#define STORE(at, v, order)                                                    \
  ((order) == RELEASE ? __atomic_store_n((at), (v), __ATOMIC_RELEASE)          \
                      : __atomic_store_n((at), (v), __ATOMIC_RELAXED))
#define BY_ORDER(what, order, ...)                                             \
  ((order) == FULL      ? what(__VA_ARGS__, __ATOMIC_SEQ_CST)                  \
   : (order) == ACQUIRE ? what(__VA_ARGS__, __ATOMIC_ACQUIRE)                  \
   : (order) == RELEASE ? what(__VA_ARGS__, __ATOMIC_RELEASE)                  \
                        : what(__VA_ARGS__, __ATOMIC_RELAXED))
#define FETCH(at, v, order, op)                                                \
  ((op) == OP_ADD   ? BY_ORDER(__atomic_fetch_add, order, at, v)               \
   : (op) == OP_SUB ? BY_ORDER(__atomic_fetch_sub, order, at, v)               \
   : (op) == OP_AND ? BY_ORDER(__atomic_fetch_and, order, at, v)               \
                    : BY_ORDER(__atomic_fetch_or, order, at, v))

// -- by size

#define SIZED(size, at, done)                                                  \
  switch (size) {                                                              \
    WITH(1, char, at, done)                                                    \
    WITH(2, short, at, done)                                                   \
    WITH(4, int, at, done)                                                     \
    WITH(8, long, at, done)                                                    \
  default:                                                                     \
    refuse("an access of another size than 1, 2, 4 or 8 bytes");               \
  }
#define WITH(n, type, at, done)                                                \
  case n: {                                                                    \
    volatile type *p = (volatile type *)(at);                                  \
    done;                                                                      \
  } break;

value __LKMM_load(const volatile void *at, size_t size, int order) {
  SIZED(size, at, return LOAD(p, order))
}

void __LKMM_store(volatile void *at, size_t size, value v, int order){
    SIZED(size, at, STORE(p, (__typeof__(*p))v, order))}

value __LKMM_xchg(volatile void *at, size_t size, value v, int order){
    SIZED(size, at,
          return BY_ORDER(__atomic_exchange_n, order, p, (__typeof__(*p))v))}

// How `order` is called by __heddle_kernel_cas, whose size and order have to be
// constants.
#define CAS(n, order)                                                          \
  __heddle_kernel_cas(p, (unsigned long)old, (unsigned long)now, n, order)
#define CAS_OF(n)                                                              \
  (order == FULL      ? CAS(n, 3)                                              \
   : order == RELEASE ? CAS(n, 2)                                              \
   : order == ACQUIRE ? CAS(n, 1)                                              \
                      : CAS(n, 0))

value __LKMM_cmpxchg(volatile void *p, size_t size, value old, value now,
                     int order, int failure) {
  (void)failure; // that orders nothing
  switch (size) {
  case 1:
    return (signed char)CAS_OF(1);
  case 2:
    return (short)CAS_OF(2);
  case 4:
    return (int)CAS_OF(4);
  case 8:
    return (long)CAS_OF(8);
  default:
    refuse("a compare-exchange of another size than 1, 2, 4 or 8 bytes");
  }
}

// Updates that yield nothing: size and operation have to be constants.
void __heddle_kernel_update(volatile void *at, unsigned long v, int operation,
                            int size);
#define UPDATE(n)                                                              \
  op == OP_ADD   ? __heddle_kernel_update(p, (unsigned long)v, OP_ADD, n)      \
  : op == OP_SUB ? __heddle_kernel_update(p, (unsigned long)v, OP_SUB, n)      \
  : op == OP_AND ? __heddle_kernel_update(p, (unsigned long)v, OP_AND, n)      \
                 : __heddle_kernel_update(p, (unsigned long)v, OP_OR, n)

void __LKMM_atomic_op(volatile void *p, size_t size, value v, int op) {
  if (size == 4)
    UPDATE(4);
  else if (size == 8)
    UPDATE(8);
  else
    refuse("an atomic of another size than 4 or 8 bytes");
}

value __LKMM_atomic_fetch_op(volatile void *at, size_t size, value v, int order,
                             int op){
    SIZED(size, at, return FETCH(p, (__typeof__(*p))v, order, op))}

value __LKMM_atomic_op_return(volatile void *at, size_t size, value v,
                              int order, int op) {
  value old = __LKMM_atomic_fetch_op(at, size, v, order, op);
  value now = op == OP_ADD   ? old + v
              : op == OP_SUB ? old - v
              : op == OP_AND ? (old & v)
                             : (old | v);
  return size == 4 ? (int)now : now;
}

void __LKMM_fence(int kind) {
  switch (kind) {
  case FULL:
    smp_mb();
    return;
  case WRITES:
    smp_wmb();
    return;
  case READS:
    smp_rmb();
    return;
  case SECTION_BEGINS:
    rcu_read_lock();
    return;
  case SECTION_ENDS:
    rcu_read_unlock();
    return;
  case GRACE_PERIOD:
    synchronize_rcu();
    return;
  case BEFORE_ATOMIC:
    smp_mb__before_atomic();
    return;
  case AFTER_ATOMIC:
    smp_mb__after_atomic();
    return;
  case AFTER_SPINLOCK:
    smp_mb__after_spinlock();
    return;
  case COMPILER:
    barrier();
    return;
  default:
    refuse("__LKMM_fence of an unknown kind");
  }
}

void __LKMM_spin_lock(spinlock_t *lock) {
  spin_lock(lock);
}

void __LKMM_spin_unlock(spinlock_t *lock) {
  spin_unlock(lock);
}

// -- the older family

int __LKMM_LOAD(int *at, int order) {
  return LOAD(at, order);
}

void __LKMM_STORE(int *at, int v, int order) {
  STORE(at, v, order);
}

void __LKMM_FENCE(int kind) {
  __LKMM_fence(kind);
}

int __LKMM_XCHG(int *at, int v, int order) {
  return BY_ORDER(__atomic_exchange_n, order, at, v);
}

int __LKMM_CMPXCHG(int *at, int old, int now, int order, int failure) {
  return (int)__LKMM_cmpxchg(at, sizeof *at, old, now, order, failure);
}

void __LKMM_ATOMIC_OP(int *at, int v, int op) {
  __LKMM_atomic_op(at, sizeof *at, v, op);
}

int __LKMM_ATOMIC_FETCH_OP(int *at, int v, int order, int op) {
  return FETCH(at, v, order, op);
}

int __LKMM_ATOMIC_OP_RETURN(int *at, int v, int order, int op) {
  return (int)__LKMM_atomic_op_return(at, sizeof *at, v, order, op);
}

void __LKMM_SPIN_LOCK(spinlock_t *lock) {
  spin_lock(lock);
}

void __LKMM_SPIN_UNLOCK(spinlock_t *lock) {
  spin_unlock(lock);
}
