// SPDX-License-Identifier: MIT
// A spin lock and a counter in one word of 64 bits: the counter is changed
// without the lock as long as nobody has it.
// run: sc,tso,armv8 ok
// run: rc11 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
struct lockref {
  union {
    uint64_t lock_count;
    struct {
      uint32_t lock;
      int count;
    };
  };
};
static void spin_lock(uint32_t *l) {
  while (__atomic_exchange_n(l, 1, __ATOMIC_ACQUIRE))
    while (__atomic_load_n(l, __ATOMIC_RELAXED))
      __builtin_ia32_pause();
}
static void spin_unlock(uint32_t *l) {
  __atomic_store_n(l, 0, __ATOMIC_RELEASE);
}
static bool cmpxchg_loop(struct lockref *ref, int d) {
  struct lockref old;
  old.lock_count = READ_ONCE(ref->lock_count);
  for (int retry = 0; retry < 100 && !old.lock; retry++) {
    struct lockref new = old;
    new.count += d;
    if (__atomic_compare_exchange_n(&ref->lock_count, &old.lock_count,
                                    new.lock_count, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return true;
  }
  return false;
}
static void lockref_add(struct lockref *ref, int d) {
  if (cmpxchg_loop(ref, d))
    return;
  spin_lock(&ref->lock);
#ifdef WEAK
  ref->count += d;
#else
  __atomic_store_n(&ref->count, READ_ONCE(ref->count) + d, __ATOMIC_RELAXED);
#endif
  spin_unlock(&ref->lock);
}
static struct lockref ref = {.count = 1};
static void *get(void *arg) {
  lockref_add(&ref, 1);
  return arg;
}
static void *locked(void *arg) {
  spin_lock(&ref.lock);
  __atomic_store_n(&ref.count, READ_ONCE(ref.count) + 4, __ATOMIC_RELAXED);
  spin_unlock(&ref.lock);
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, get, NULL);
  pthread_create(&t[1], NULL, locked, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(ref.count == 6);
}
