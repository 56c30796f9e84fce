// SPDX-License-Identifier: MIT
// The Linux kernel's names for memory accesses, barriers, atomics, spinlocks,
// RCU and SRCU, for programs that are checked with `--model lkmm`. The kernel's
// own headers of this folder (linux/atomic.h and so on) include it. Threads are
// those of <pthread.h> or <threads.h>.
#pragma once

#include <heddle_cdefs.h>
#include <stdbool.h>
#include <stddef.h>
#ifndef __HEDDLE_LKMM_RT__
#include <assert.h>
#include <stdlib.h>
#endif

__HEDDLE_BEGIN

// To this model, branches order only what they guard: so Heddle has to know.
__attribute__((used)) static const char __heddle_lkmm = 1;

// -- single accesses; what is written without them is plain

#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value) __atomic_store_n(&(x), (value), __ATOMIC_RELAXED)
#define smp_load_acquire(at) __atomic_load_n((at), __ATOMIC_ACQUIRE)
#define smp_store_release(at, value)                                           \
  __atomic_store_n((at), (value), __ATOMIC_RELEASE)
#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define data_race(x) (x) // still a race to the model
#define smp_store_mb(x, value)                                                 \
  do {                                                                         \
    WRITE_ONCE(x, value);                                                      \
    smp_mb();                                                                  \
  } while (0)

// -- barriers

void smp_mb(void);
void smp_rmb(void);
void smp_wmb(void);
void barrier(void);
void smp_mb__before_atomic(void);
void smp_mb__after_atomic(void);
void smp_mb__after_spinlock(void);
void smp_mb__after_unlock_lock(void);
void smp_mb__after_srcu_read_unlock(void);
#define smp_acquire__after_ctrl_dep() smp_rmb()

// Waiting until a condition holds of the value VAL of a variable.
#define smp_cond_load_relaxed(at, condition)                                   \
  ({                                                                           \
    __typeof__(*(at)) VAL;                                                     \
    while (VAL = READ_ONCE(*(at)), !(condition))                               \
      ;                                                                        \
    VAL;                                                                       \
  })
#define smp_cond_load_acquire(at, condition)                                   \
  ({                                                                           \
    __typeof__(*(at)) VAL;                                                     \
    while (VAL = READ_ONCE(*(at)), !(condition))                               \
      ;                                                                        \
    smp_acquire__after_ctrl_dep();                                             \
    VAL;                                                                       \
  })
#define atomic_cond_read_relaxed(v, condition)                                 \
  smp_cond_load_relaxed(&(v)->counter, condition)
#define atomic_cond_read_acquire(v, condition)                                 \
  smp_cond_load_acquire(&(v)->counter, condition)

// -- atomics

typedef struct {
  int counter;
} atomic_t;
typedef struct {
  long counter;
} atomic64_t;
typedef atomic64_t atomic_long_t;
#define ATOMIC_INIT(i)                                                         \
  { (i) }
#define ATOMIC64_INIT(i) ATOMIC_INIT(i)
#define ATOMIC_LONG_INIT(i) ATOMIC_INIT(i)

#define atomic_read(v) READ_ONCE((v)->counter)
#define atomic_set(v, i) WRITE_ONCE((v)->counter, (i))
#define atomic_read_acquire(v) smp_load_acquire(&(v)->counter)
#define atomic_set_release(v, i) smp_store_release(&(v)->counter, (i))
#define atomic64_read(v) atomic_read(v)
#define atomic64_set(v, i) atomic_set(v, i)
#define atomic64_read_acquire(v) atomic_read_acquire(v)
#define atomic64_set_release(v, i) atomic_set_release(v, i)
#define atomic_long_read(v) atomic_read(v)
#define atomic_long_set(v, i) atomic_set(v, i)
#define atomic_long_read_acquire(v) atomic_read_acquire(v)
#define atomic_long_set_release(v, i) atomic_set_release(v, i)

#define __LKMM_ORDERED(prefix, T, box, suffix)                                 \
  T prefix##_fetch_add##suffix(T i, box *v);                                   \
  T prefix##_fetch_sub##suffix(T i, box *v);                                   \
  T prefix##_fetch_and##suffix(T i, box *v);                                   \
  T prefix##_fetch_andnot##suffix(T i, box *v);                                \
  T prefix##_fetch_or##suffix(T i, box *v);                                    \
  T prefix##_fetch_xor##suffix(T i, box *v);                                   \
  T prefix##_fetch_inc##suffix(box *v);                                        \
  T prefix##_fetch_dec##suffix(box *v);                                        \
  T prefix##_add_return##suffix(T i, box *v);                                  \
  T prefix##_sub_return##suffix(T i, box *v);                                  \
  T prefix##_inc_return##suffix(box *v);                                       \
  T prefix##_dec_return##suffix(box *v);                                       \
  T prefix##_xchg##suffix(box *v, T now);                                      \
  T prefix##_cmpxchg##suffix(box *v, T old, T now);                            \
  bool prefix##_try_cmpxchg##suffix(box *v, T *old, T now);
#define __LKMM_ATOMICS(prefix, T, box)                                         \
  void prefix##_add(T i, box *v);                                              \
  void prefix##_sub(T i, box *v);                                              \
  void prefix##_and(T i, box *v);                                              \
  void prefix##_or(T i, box *v);                                               \
  void prefix##_xor(T i, box *v);                                              \
  void prefix##_andnot(T i, box *v);                                           \
  void prefix##_inc(box *v);                                                   \
  void prefix##_dec(box *v);                                                   \
  __LKMM_ORDERED(prefix, T, box, )                                             \
  __LKMM_ORDERED(prefix, T, box, _relaxed)                                     \
  __LKMM_ORDERED(prefix, T, box, _acquire)                                     \
  __LKMM_ORDERED(prefix, T, box, _release)                                     \
  bool prefix##_sub_and_test(T i, box *v);                                     \
  bool prefix##_dec_and_test(box *v);                                          \
  bool prefix##_inc_and_test(box *v);                                          \
  bool prefix##_add_negative(T i, box *v);                                     \
  T prefix##_fetch_add_unless(box *v, T added, T unwanted);                    \
  bool prefix##_add_unless(box *v, T added, T unwanted);                       \
  bool prefix##_inc_not_zero(box *v);
__LKMM_ATOMICS(atomic, int, atomic_t)
__LKMM_ATOMICS(atomic64, long, atomic64_t)
__LKMM_ATOMICS(atomic_long, long, atomic_long_t)

// On variables of any type.
unsigned long __heddle_kernel_cas(volatile void *at, unsigned long expected,
                                  unsigned long wanted, int size, int order);
#define __LKMM_CAS(at, old, now, order)                                        \
  ((__typeof__(*(at)))__heddle_kernel_cas(                                     \
      (at), (unsigned long)(old), (unsigned long)(now), sizeof *(at), order))
#define cmpxchg(at, old, now) __LKMM_CAS(at, old, now, 3)
#define cmpxchg_relaxed(at, old, now) __LKMM_CAS(at, old, now, 0)
#define cmpxchg_acquire(at, old, now) __LKMM_CAS(at, old, now, 1)
#define cmpxchg_release(at, old, now) __LKMM_CAS(at, old, now, 2)
#define __LKMM_TRY(at, old, now, order)                                        \
  ({                                                                           \
    __typeof__(*(at)) *__old = (old), __was = *__old;                          \
    *__old = __LKMM_CAS(at, __was, now, order);                                \
    *__old == __was;                                                           \
  })
#define try_cmpxchg(at, old, now) __LKMM_TRY(at, old, now, 3)
#define try_cmpxchg_relaxed(at, old, now) __LKMM_TRY(at, old, now, 0)
#define try_cmpxchg_acquire(at, old, now) __LKMM_TRY(at, old, now, 1)
#define try_cmpxchg_release(at, old, now) __LKMM_TRY(at, old, now, 2)
#define xchg(at, now) __atomic_exchange_n((at), (now), __ATOMIC_SEQ_CST)
#define xchg_relaxed(at, now) __atomic_exchange_n((at), (now), __ATOMIC_RELAXED)
#define xchg_acquire(at, now) __atomic_exchange_n((at), (now), __ATOMIC_ACQUIRE)
#define xchg_release(at, now) __atomic_exchange_n((at), (now), __ATOMIC_RELEASE)

// -- spinlocks; there are no interrupts

typedef struct {
  int word;
} spinlock_t;
typedef spinlock_t raw_spinlock_t;
#define __SPIN_LOCK_UNLOCKED(name)                                             \
  { 0 }
#define DEFINE_SPINLOCK(name) spinlock_t name = __SPIN_LOCK_UNLOCKED(name)
#define spin_lock_init(lock) ((void)((lock)->word = 0))
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
bool spin_trylock(spinlock_t *lock);
bool spin_is_locked(spinlock_t *lock);
#define spin_lock_irq(lock) spin_lock(lock)
#define spin_unlock_irq(lock) spin_unlock(lock)
#define spin_lock_irqsave(lock, flags) ((void)((flags) = 0), spin_lock(lock))
#define spin_unlock_irqrestore(lock, flags) ((void)(flags), spin_unlock(lock))
#define spin_lock_bh(lock) spin_lock(lock)
#define spin_unlock_bh(lock) spin_unlock(lock)
#define spin_lock_nested(lock, subclass) spin_lock(lock)
#define assert_spin_locked(lock) BUG_ON(!spin_is_locked(lock))
#define lockdep_is_held(lock) 1
#define lockdep_assert_held(lock) ((void)(lock))
#define raw_spin_lock_init(lock) spin_lock_init(lock)
#define DEFINE_RAW_SPINLOCK(name) DEFINE_SPINLOCK(name)
#define raw_spin_lock(lock) spin_lock(lock)
#define raw_spin_unlock(lock) spin_unlock(lock)
#define raw_spin_trylock(lock) spin_trylock(lock)
#define raw_spin_lock_irqsave(lock, flags) spin_lock_irqsave(lock, flags)
#define raw_spin_unlock_irqrestore(lock, flags)                                \
  spin_unlock_irqrestore(lock, flags)

// -- RCU

void rcu_read_lock(void);
void rcu_read_unlock(void);
void synchronize_rcu(void);
void synchronize_rcu_expedited(void);
#define __rcu
#define rcu_dereference(p) READ_ONCE(p)
#define rcu_dereference_check(p, condition) READ_ONCE(p)
#define rcu_dereference_raw(p) READ_ONCE(p)
#define rcu_dereference_bh(p) READ_ONCE(p)
#define rcu_dereference_sched(p) READ_ONCE(p)
#define rcu_dereference_protected(p, condition) (p)
#define rcu_pointer_handoff(p) (p)
#define rcu_replace_pointer(p, value, condition)                               \
  ({                                                                           \
    __typeof__(p) __replaced = rcu_dereference_protected(p, condition);        \
    rcu_assign_pointer(p, value);                                              \
    __replaced;                                                                \
  })
#define rcu_read_lock_bh() rcu_read_lock()
#define rcu_read_unlock_bh() rcu_read_unlock()
#define rcu_read_lock_sched() rcu_read_lock()
#define rcu_read_unlock_sched() rcu_read_unlock()
#define rcu_read_lock_held() 1
#define rcu_access_pointer(p) READ_ONCE(p)
#define rcu_assign_pointer(p, value) smp_store_release(&(p), (value))
#define RCU_INIT_POINTER(p, value) WRITE_ONCE(p, value)

// Callbacks are run by a thread of their own, after a grace period. Nothing
// waits for them at the end of the program but rcu_barrier(), which waits for
// those of call_rcu() that were queued before.
struct rcu_head {
  void (*func)(struct rcu_head *head);
};
typedef void (*rcu_callback_t)(struct rcu_head *head);
void call_rcu(struct rcu_head *head, rcu_callback_t func);
void rcu_barrier(void);
void __heddle_kernel_free_later(void *p);
#define kfree_rcu(p, field) __heddle_kernel_free_later(p)
#define kfree_rcu_mightsleep(p) __heddle_kernel_free_later(p)

struct srcu_struct {
  int word;
};
#define DEFINE_SRCU(name) struct srcu_struct name = {0}
#define DEFINE_STATIC_SRCU(name) static struct srcu_struct name = {0}
#define init_srcu_struct(s) ((s)->word = 0)
#define cleanup_srcu_struct(s) ((void)(s))
int srcu_read_lock(struct srcu_struct *s);
void srcu_read_unlock(struct srcu_struct *s, int index);
int srcu_down_read(struct srcu_struct *s);
void srcu_up_read(struct srcu_struct *s, int index);
void synchronize_srcu(struct srcu_struct *s);
#define synchronize_srcu_expedited(s) synchronize_srcu(s)
#define srcu_dereference(p, s) READ_ONCE(p)

// -- memory and checks

#ifndef __HEDDLE_LKMM_RT__
#define GFP_KERNEL 0
#define GFP_ATOMIC 0
#define kmalloc(size, flags) malloc(size)
#define kzalloc(size, flags) calloc(1, size)
#define kcalloc(n, size, flags) calloc(n, size)
#define kmalloc_array(n, size, flags) malloc((n) * (size))
#define kfree(p) free((void *)(p))
#define BUG_ON(condition) assert(!(condition))
#define WARN_ON(condition)                                                     \
  ({                                                                           \
    BUG_ON(condition);                                                         \
    false;                                                                     \
  })
#define cpu_relax() ((void)0)
#endif

__HEDDLE_END
