// SPDX-License-Identifier: MIT
// A ring of several producers and consumers. Who waits for the others before it
// must acquire what they wrote.
// run: sc,rc11,imm error race
// run: flags=-DWAIT=__ATOMIC_ACQUIRE sc,tso,rc11 ok
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifndef WAIT
#define WAIT __ATOMIC_RELAXED
#endif
#define __rte_aligned(a) __attribute__((__aligned__(a)))
#define __rte_always_inline inline __attribute__((always_inline))
#define RTE_STD_C11 __extension__
#define unlikely(x) __builtin_expect(!!(x), 0)
static __rte_always_inline void rte_pause(void) {
  __builtin_ia32_pause();
}
static __rte_always_inline void
rte_wait_until_equal_32(volatile uint32_t *addr, uint32_t expected, int mo) {
  while (__atomic_load_n(addr, mo) != expected)
    rte_pause();
}
enum rte_ring_sync_type { RTE_RING_SYNC_MT, RTE_RING_SYNC_ST };
struct rte_ring_headtail {
  volatile uint32_t head;
  volatile uint32_t tail;
  RTE_STD_C11 union {
    enum rte_ring_sync_type sync_type;
    uint32_t single;
  };
};
struct rte_ring {
  char name[32] __rte_aligned(64);
  int flags;
  uint32_t size, mask, capacity;
  char pad0 __rte_aligned(64);
  struct rte_ring_headtail prod __rte_aligned(64);
  char pad1 __rte_aligned(64);
  struct rte_ring_headtail cons __rte_aligned(64);
  char pad2 __rte_aligned(64);
  uintptr_t obj[4];
};
static struct rte_ring R;
static __rte_always_inline unsigned
move_prod_head(struct rte_ring *r, unsigned n, uint32_t *old_head,
               uint32_t *new_head, uint32_t *free_entries) {
  const uint32_t capacity = r->capacity;
  unsigned max = n;
  int success;
  *old_head = __atomic_load_n(&r->prod.head, __ATOMIC_RELAXED);
  do {
    n = max;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    uint32_t cons_tail = __atomic_load_n(&r->cons.tail, __ATOMIC_ACQUIRE);
    *free_entries = capacity + cons_tail - *old_head;
    if (unlikely(n > *free_entries))
      return 0;
    *new_head = *old_head + n;
    success = __atomic_compare_exchange_n(&r->prod.head, old_head, *new_head, 0,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  } while (unlikely(success == 0));
  return n;
}
static unsigned move_cons_head(struct rte_ring *r, unsigned n,
                               uint32_t *old_head, uint32_t *new_head) {
  int success;
  *old_head = __atomic_load_n(&r->cons.head, __ATOMIC_RELAXED);
  do {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    uint32_t prod_tail = __atomic_load_n(&r->prod.tail, __ATOMIC_ACQUIRE);
    if (n > prod_tail - *old_head)
      return 0;
    *new_head = *old_head + n;
    success = __atomic_compare_exchange_n(&r->cons.head, old_head, *new_head, 0,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  } while (unlikely(success == 0));
  return n;
}
static void update_tail(struct rte_ring_headtail *ht, uint32_t old,
                        uint32_t new) {
  if (ht->sync_type == RTE_RING_SYNC_MT)
    rte_wait_until_equal_32(&ht->tail, old, WAIT);
  __atomic_store_n(&ht->tail, new, __ATOMIC_RELEASE);
}
static int enq(struct rte_ring *r, void *o) {
  uint32_t h, n, f;
  if (!move_prod_head(r, 1, &h, &n, &f))
    return -ENOBUFS;
  r->obj[h & r->mask] = (uintptr_t)o;
  update_tail(&r->prod, h, n);
  return 0;
}
static int deq(struct rte_ring *r, void **o) {
  uint32_t h, n;
  if (!move_cons_head(r, 1, &h, &n))
    return -ENOENT;
  *o = (void *)r->obj[h & r->mask];
  update_tail(&r->cons, h, n);
  return 0;
}
static int items[2];
static void *producer(void *a) {
  int *p = a;
  *p = 5;
  while (enq(&R, p) == -ENOBUFS)
    ;
  return NULL;
}
static void *consumer(void *a) {
  void *o;
  while (deq(&R, &o))
    rte_pause();
  assert(*(int *)o == 5);
  return a;
}
int main(void) {
  memset(&R, 0, sizeof R);
  strncpy(R.name, "ring", sizeof R.name - 1);
  R.size = 4;
  R.mask = 3;
  R.capacity = 3;
  R.prod.sync_type = R.cons.sync_type = RTE_RING_SYNC_MT;
  pthread_t t[3];
  pthread_create(&t[0], 0, producer, &items[0]);
  pthread_create(&t[1], 0, producer, &items[1]);
  pthread_create(&t[2], 0, consumer, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
