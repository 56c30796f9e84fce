// SPDX-License-Identifier: MIT
// A read-write lock in one word whose readers undo their try.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
typedef struct {
  int32_t cnt;
} rte_rwlock_t;
#define RTE_RWLOCK_WAIT 0x1
#define RTE_RWLOCK_WRITE 0x2
#define RTE_RWLOCK_MASK (RTE_RWLOCK_WAIT | RTE_RWLOCK_WRITE)
#define RTE_RWLOCK_READ 0x4
static inline void rte_pause(void) {
  __builtin_ia32_pause();
}
static void read_lock(rte_rwlock_t *rwl) {
  int32_t x;
  while (1) {
    while (__atomic_load_n(&rwl->cnt, __ATOMIC_RELAXED) & RTE_RWLOCK_MASK)
      rte_pause();
    x = __atomic_fetch_add(&rwl->cnt, RTE_RWLOCK_READ, __ATOMIC_ACQUIRE) +
        RTE_RWLOCK_READ;
    if (!(x & RTE_RWLOCK_MASK))
      return;
    __atomic_fetch_sub(&rwl->cnt, RTE_RWLOCK_READ, __ATOMIC_RELAXED);
  }
}
static void read_unlock(rte_rwlock_t *rwl) {
  __atomic_fetch_sub(&rwl->cnt, RTE_RWLOCK_READ, __ATOMIC_RELEASE);
}
static void write_lock(rte_rwlock_t *rwl) {
  int32_t x;
  while (1) {
    x = __atomic_load_n(&rwl->cnt, __ATOMIC_RELAXED);
    if (x < RTE_RWLOCK_WRITE) {
      if (__atomic_compare_exchange_n(&rwl->cnt, &x, RTE_RWLOCK_WRITE, 1,
                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    }
    if (!(x & RTE_RWLOCK_WAIT))
      __atomic_fetch_or(&rwl->cnt, RTE_RWLOCK_WAIT, __ATOMIC_RELAXED);
    while (__atomic_load_n(&rwl->cnt, __ATOMIC_RELAXED) > RTE_RWLOCK_WAIT)
      rte_pause();
  }
}
static void write_unlock(rte_rwlock_t *rwl) {
  __atomic_fetch_sub(&rwl->cnt, RTE_RWLOCK_WRITE, __ATOMIC_RELEASE);
}
static rte_rwlock_t L;
static int d;
static void *r(void *a) {
  read_lock(&L);
  int x = d;
  assert(x == d);
  read_unlock(&L);
  return a;
}
static void *w(void *a) {
  write_lock(&L);
  d++;
  write_unlock(&L);
  return a;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, r, 0);
  pthread_create(&t[1], 0, w, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(d == 1);
}
