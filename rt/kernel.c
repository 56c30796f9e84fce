// SPDX-License-Identifier: MIT
// The Linux kernel's atomics, locks and SRCU (<lkmm.h>). Fully ordered
// operations are seq_cst here: the model of the kernel makes a full barrier on
// both sides of that. A compare-exchange that fails orders nothing.
#define __HEDDLE_LKMM_RT__
#include <limits.h>
#include <linux/completion.h>
#include <linux/rwlock.h>

#include "builtin.h"
#include "clock.h"

unsigned long __heddle_kernel_cas(volatile void *at, unsigned long expected,
                                  unsigned long wanted, int size, int order);
void __heddle_kernel_update(volatile void *at, unsigned long value,
                            int operation, int size);
unsigned long __heddle_kernel_unless(volatile void *at, unsigned long added,
                                     unsigned long unwanted, int size);
int __heddle_kernel_trylock(volatile void *word, int self);
int __heddle_kernel_begin(volatile void *at);
void __heddle_kernel_end(volatile void *at, int index);
void __heddle_kernel_wait(volatile void *at);

enum { ADD, SUB, AND, OR, XOR };

// -- updates that yield nothing

#define NOTHING(prefix, T, box, op, which)                                     \
  void prefix##_##op(T i, box *v) {                                            \
    __heddle_kernel_update(&v->counter, (unsigned long)i, which, sizeof(T));   \
  }
#define ALL_NOTHING(prefix, T, box)                                            \
  NOTHING(prefix, T, box, add, ADD)                                            \
  NOTHING(prefix, T, box, sub, SUB)                                            \
  NOTHING(prefix, T, box, and, AND)                                            \
  NOTHING(prefix, T, box, or, OR)                                              \
  NOTHING(prefix, T, box, xor, XOR)                                            \
  void prefix##_andnot(T i, box *v) {                                          \
    prefix##_and(~i, v);                                                       \
  }                                                                            \
  void prefix##_inc(box *v) {                                                  \
    prefix##_add(1, v);                                                        \
  }                                                                            \
  void prefix##_dec(box *v) {                                                  \
    prefix##_sub(1, v);                                                        \
  }

// -- those that yield the old value, or the new one, in four orders

#define FETCH(prefix, T, box, op, suffix, order)                               \
  T prefix##_fetch_##op##suffix(T i, box *v) {                                 \
    return __atomic_fetch_##op(&v->counter, i, order);                         \
  }
#define RETURN(prefix, T, box, op, suffix, order)                              \
  T prefix##_##op##_return##suffix(T i, box *v) {                              \
    return __atomic_##op##_fetch(&v->counter, i, order);                       \
  }
#define STEP(prefix, T, box, suffix)                                           \
  T prefix##_inc_return##suffix(box *v) {                                      \
    return prefix##_add_return##suffix(1, v);                                  \
  }                                                                            \
  T prefix##_dec_return##suffix(box *v) {                                      \
    return prefix##_sub_return##suffix(1, v);                                  \
  }                                                                            \
  T prefix##_fetch_inc##suffix(box *v) {                                       \
    return prefix##_fetch_add##suffix(1, v);                                   \
  }                                                                            \
  T prefix##_fetch_dec##suffix(box *v) {                                       \
    return prefix##_fetch_sub##suffix(1, v);                                   \
  }
#define EXCHANGE(prefix, T, box, suffix, order, number)                        \
  T prefix##_xchg##suffix(box *v, T now) {                                     \
    return __atomic_exchange_n(&v->counter, now, order);                       \
  }                                                                            \
  T prefix##_cmpxchg##suffix(box *v, T old, T now) {                           \
    return (T)__heddle_kernel_cas(&v->counter, (unsigned long)old,             \
                                  (unsigned long)now, sizeof(T), number);      \
  }                                                                            \
  bool prefix##_try_cmpxchg##suffix(box *v, T *old, T now) {                   \
    T seen = prefix##_cmpxchg##suffix(v, *old, now);                           \
    if (seen == *old)                                                          \
      return true;                                                             \
    *old = seen;                                                               \
    return false;                                                              \
  }
#define ORDERED(prefix, T, box, suffix, order, number)                         \
  FETCH(prefix, T, box, add, suffix, order)                                    \
  FETCH(prefix, T, box, sub, suffix, order)                                    \
  FETCH(prefix, T, box, and, suffix, order)                                    \
  FETCH(prefix, T, box, or, suffix, order)                                     \
  FETCH(prefix, T, box, xor, suffix, order)                                    \
  T prefix##_fetch_andnot##suffix(T i, box *v) {                               \
    return prefix##_fetch_and##suffix(~i, v);                                  \
  }                                                                            \
  RETURN(prefix, T, box, add, suffix, order)                                   \
  RETURN(prefix, T, box, sub, suffix, order)                                   \
  STEP(prefix, T, box, suffix)                                                 \
  EXCHANGE(prefix, T, box, suffix, order, number)

// -- tests

#define TESTS(prefix, T, box)                                                  \
  bool prefix##_sub_and_test(T i, box *v) {                                    \
    return prefix##_sub_return(i, v) == 0;                                     \
  }                                                                            \
  bool prefix##_dec_and_test(box *v) {                                         \
    return prefix##_dec_return(v) == 0;                                        \
  }                                                                            \
  bool prefix##_inc_and_test(box *v) {                                         \
    return prefix##_inc_return(v) == 0;                                        \
  }                                                                            \
  bool prefix##_add_negative(T i, box *v) {                                    \
    return prefix##_add_return(i, v) < 0;                                      \
  }                                                                            \
  T prefix##_fetch_add_unless(box *v, T added, T unwanted) {                   \
    return (T)__heddle_kernel_unless(&v->counter, (unsigned long)added,        \
                                     (unsigned long)unwanted, sizeof(T));      \
  }                                                                            \
  bool prefix##_add_unless(box *v, T added, T unwanted) {                      \
    return prefix##_fetch_add_unless(v, added, unwanted) != unwanted;          \
  }                                                                            \
  bool prefix##_inc_not_zero(box *v) {                                         \
    return prefix##_add_unless(v, 1, 0);                                       \
  }

#define ATOMICS(prefix, T, box)                                                \
  ALL_NOTHING(prefix, T, box)                                                  \
  ORDERED(prefix, T, box, , __ATOMIC_SEQ_CST, 3)                               \
  ORDERED(prefix, T, box, _relaxed, __ATOMIC_RELAXED, 0)                       \
  ORDERED(prefix, T, box, _acquire, __ATOMIC_ACQUIRE, 1)                       \
  ORDERED(prefix, T, box, _release, __ATOMIC_RELEASE, 2)                       \
  TESTS(prefix, T, box)

ATOMICS(atomic, int, atomic_t)
ATOMICS(atomic64, long, atomic64_t)
ATOMICS(atomic_long, long, atomic_long_t)

// -- locks

void spin_lock(spinlock_t *lock) {
  __heddle_lock(&lock->word);
}

void spin_unlock(spinlock_t *lock) {
  __heddle_unlock(&lock->word);
}

bool spin_trylock(spinlock_t *lock) {
  return __heddle_kernel_trylock(&lock->word, (int)__heddle_self() + 1);
}

bool spin_is_locked(spinlock_t *lock) {
  return __atomic_load_n(&lock->word, __ATOMIC_RELAXED) != 0;
}

// -- locks for readers and writers: their number, or -1

// If the word changed meanwhile, the load could as well have seen that.
static bool takes(int *word, int seen, int now) {
  __heddle_assume(__atomic_compare_exchange_n(
      word, &seen, now, /*weak=*/0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  return true;
}

void read_lock(rwlock_t *lock) {
  __heddle_take(&lock->word, 0, INT_MAX - 1, 1, /*is_timed=*/0);
}

bool read_trylock(rwlock_t *lock) {
  int seen = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);
  return seen >= 0 && takes(&lock->word, seen, seen + 1);
}

void read_unlock(rwlock_t *lock) {
  __heddle_give(&lock->word, -1);
}

void write_lock(rwlock_t *lock) {
  __heddle_take(&lock->word, 0, 0, -1, /*is_timed=*/0);
}

bool write_trylock(rwlock_t *lock) {
  int seen = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);
  return seen == 0 && takes(&lock->word, 0, -1);
}

void write_unlock(rwlock_t *lock) {
  __heddle_give(&lock->word, 1);
}

// -- completions: how many threads may go on

// What complete_all() adds: more than ever wait, and 2,000 times of it fit.
enum { ALL = 1 << 20 };

void complete(struct completion *c) {
  __heddle_give(&c->done, 1);
}

void complete_all(struct completion *c) {
  __heddle_give(&c->done, ALL);
}

void wait_for_completion(struct completion *c) {
  __heddle_take(&c->done, 1, INT_MAX, -1, /*is_timed=*/0);
}

bool try_wait_for_completion(struct completion *c) {
  int seen = __atomic_load_n(&c->done, __ATOMIC_RELAXED);
  return seen > 0 && takes(&c->done, seen, seen - 1);
}

bool completion_done(struct completion *c) {
  return __atomic_load_n(&c->done, __ATOMIC_ACQUIRE) > 0;
}

// -- callbacks

static void *call_later(void *p) {
  struct rcu_head *head = p;
  synchronize_rcu();
  head->func(head);
  return 0;
}

void call_rcu(struct rcu_head *head, rcu_callback_t func) {
  head->func = func;
  time_has_company();
  __heddle_detach(__heddle_spawn(call_later, head));
}

static void *free_later(void *p) {
  synchronize_rcu();
  __heddle_free(p);
  return 0;
}

void __heddle_kernel_free_later(void *p) {
  time_has_company();
  __heddle_detach(__heddle_spawn(free_later, p));
}

// -- SRCU

int srcu_read_lock(struct srcu_struct *s) {
  return __heddle_kernel_begin(&s->word);
}

void srcu_read_unlock(struct srcu_struct *s, int index) {
  __heddle_kernel_end(&s->word, index);
}

// A section that another thread may end.
int srcu_down_read(struct srcu_struct *s) {
  return __heddle_kernel_begin(&s->word);
}

void srcu_up_read(struct srcu_struct *s, int index) {
  __heddle_kernel_end(&s->word, index);
}

void synchronize_srcu(struct srcu_struct *s) {
  __heddle_kernel_wait(&s->word);
}
