// SPDX-License-Identifier: MIT
// A ring in the style of packet processing frameworks: heads and tails that
// producers move by compare-exchange, publish in order, and read volatile. With
// one barrier before it waits for its turn, the second producer passes the tail
// on without what the first one wrote: a race by C11, on every model.
// run: args=--volatile args=relaxed all error race
// run: args=--volatile args=relaxed flags=-DORDERED all ok
// run: flags=-DC11 all ok
// run: flags=-DC11 flags=-DNO_RELEASE rc11 error race
#include <assert.h>
#include <emmintrin.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

#define always_inline inline __attribute__((always_inline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define cache_aligned __attribute__((__aligned__(64)))

#ifdef C11
#define LOAD(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#ifdef NO_RELEASE
#define STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
#else
#define STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#endif
#define smp_rmb()
#define smp_wmb()
#else
#define LOAD(p) (*(volatile uint32_t *)(p))
#define STORE(p, v) (*(volatile uint32_t *)(p) = (v))
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#endif

enum { SIZE = 4, MASK = SIZE - 1 };

struct headtail {
  uint32_t head, tail;
};
struct ring {
  struct headtail prod cache_aligned;
  struct headtail cons cache_aligned;
  void *slots[SIZE];
};

static struct ring ring;

static always_inline int enqueue(struct ring *r, void *object) {
  uint32_t head, next;
  int done;
  do {
    head = LOAD(&r->prod.head);
    smp_rmb();
    uint32_t free_entries = SIZE + LOAD(&r->cons.tail) - head;
    if (unlikely(free_entries == 0))
      return -ENOBUFS;
    next = head + 1;
    done = __sync_bool_compare_and_swap(&r->prod.head, head, next);
  } while (unlikely(!done));
  r->slots[head & MASK] = object; // BUG
  smp_wmb();
  while (unlikely(LOAD(&r->prod.tail) != head))
    _mm_pause();
#ifdef ORDERED
  smp_rmb();
  smp_wmb();
#endif
  STORE(&r->prod.tail, next);
  return 0;
}

static always_inline void *dequeue(struct ring *r) {
  uint32_t head = r->cons.head; // one consumer
  uint32_t entries = LOAD(&r->prod.tail) - head;
  if (likely(entries == 0))
    return NULL;
  smp_rmb();
  void *object = r->slots[head & MASK]; // BUG
  r->cons.head = head + 1;
  smp_wmb();
  STORE(&r->cons.tail, head + 1);
  return object;
}

static int packet[2];

static void *producer(void *arg) {
  int *p = arg;
  *p = 7;
  assert(enqueue(&ring, p) == 0);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, producer, &packet[i]);
  int got = 0;
  for (int i = 0; i < 2; i++) {
    int *p = dequeue(&ring);
    if (p) {
      assert(*p == 7);
      got++;
    }
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  while (dequeue(&ring))
    got++;
  assert(got == 2);
  return 0;
}
