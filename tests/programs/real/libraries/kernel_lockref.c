// SPDX-License-Identifier: MIT
// A lock and a counter in one word: the counter is changed by compare-exchange
// while the lock is free, else under the lock. Kernel style, mixed sizes.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef struct {
  u32 slock;
} spinlock_t;
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define cpu_relax() __asm__ volatile("pause" ::: "memory")

static void spin_lock(spinlock_t *l) {
  while (__atomic_exchange_n(&l->slock, 1, __ATOMIC_ACQUIRE))
    cpu_relax();
}
static void spin_unlock(spinlock_t *l) {
  __atomic_store_n(&l->slock, 0, __ATOMIC_RELEASE);
}

struct lockref {
  union {
    u64 lock_count __attribute__((aligned(8)));
    struct {
      spinlock_t lock;
      int count;
    };
  };
};

static void lockref_get(struct lockref *ref) {
  struct lockref old;
  int retry = 100;
  old.lock_count = READ_ONCE(ref->lock_count);
  while (old.lock.slock == 0) {
    struct lockref new = old;
    new.count++;
    if (__atomic_compare_exchange_n(&ref->lock_count, &old.lock_count,
                                    new.lock_count, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return;
    if (!--retry)
      break;
  }
  spin_lock(&ref->lock);
  __atomic_fetch_add(&ref->count, 1, __ATOMIC_RELAXED);
  spin_unlock(&ref->lock);
}

static struct lockref ref;

static void *get(void *arg) {
  lockref_get(&ref);
  return arg;
}

static void *hold(void *arg) {
  spin_lock(&ref.lock);
  __atomic_fetch_add(&ref.count, 1, __ATOMIC_RELAXED);
  spin_unlock(&ref.lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, get, NULL);
  pthread_create(&b, NULL, hold, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(ref.count == 2);
  return 0;
}
