// SPDX-License-Identifier: MIT
// A lock word of which a byte is the lock, another one says that somebody is
// next, and the rest is the tail of a queue: kernel style, accesses of three
// sizes.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;

struct qspinlock {
  union {
    u32 val;
    struct {
      u8 locked;
      u8 pending;
    };
    struct {
      u16 locked_pending;
      u16 tail;
    };
  };
};
#define Q_LOCKED_VAL 1u
#define Q_LOCKED_MASK 0xffu
#define Q_PENDING_VAL 0x100u
#define smp_cond_load_acquire(ptr, cond)                                       \
  ({                                                                           \
    __typeof__(*(ptr)) VAL;                                                    \
    for (;;) {                                                                 \
      VAL = __atomic_load_n(ptr, __ATOMIC_ACQUIRE);                            \
      if (cond)                                                                \
        break;                                                                 \
      __asm__ volatile("pause" ::: "memory");                                  \
    }                                                                          \
    VAL;                                                                       \
  })

static void queued_spin_lock(struct qspinlock *lock) {
  u32 val = 0;
  if (__atomic_compare_exchange_n(&lock->val, &val, Q_LOCKED_VAL, 0,
                                  __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  // Two threads: whoever does not get it at once is the next one.
  val = __atomic_fetch_or(&lock->val, Q_PENDING_VAL, __ATOMIC_ACQUIRE);
  if (val & Q_LOCKED_MASK)
    smp_cond_load_acquire(&lock->locked, !VAL);
  __atomic_store_n(&lock->locked_pending, Q_LOCKED_VAL, __ATOMIC_RELAXED);
}

static void queued_spin_unlock(struct qspinlock *lock) {
  __atomic_store_n(&lock->locked, 0, __ATOMIC_RELEASE);
}

static struct qspinlock lock;
static int shared;

static void *run(void *arg) {
  queued_spin_lock(&lock);
  shared++;
  queued_spin_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(shared == 2);
  return 0;
}
