// SPDX-License-Identifier: MIT
// A ring that remembers where the other end was.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <threads.h>
enum { CAP = 2 };
typedef struct {
  alignas(64) atomic_size_t head;
  size_t cached_tail;
  alignas(64) atomic_size_t tail;
  size_t cached_head;
  alignas(64) uint64_t slot[CAP];
} spsc;
static spsc q;
static bool push(spsc *q, uint64_t v) {
  size_t t = atomic_load_explicit(&q->tail, memory_order_relaxed);
  if (t - q->cached_head == CAP) {
    q->cached_head = atomic_load_explicit(&q->head, memory_order_acquire);
    if (t - q->cached_head == CAP)
      return false;
  }
  q->slot[t % CAP] = v;
  atomic_store_explicit(&q->tail, t + 1, memory_order_release);
  return true;
}
static bool pop(spsc *q, uint64_t *v) {
  size_t h = atomic_load_explicit(&q->head, memory_order_relaxed);
  if (h == q->cached_tail) {
    q->cached_tail = atomic_load_explicit(&q->tail, memory_order_acquire);
    if (h == q->cached_tail)
      return false;
  }
  *v = q->slot[h % CAP];
  atomic_store_explicit(&q->head, h + 1, memory_order_release);
  return true;
}
static int producer(void *a) {
  for (uint64_t i = 1; i <= 4; i++)
    while (!push(&q, i))
      thrd_yield();
  return 0;
}
int main(void) {
  thrd_t t;
  thrd_create(&t, producer, NULL);
  uint64_t v, sum = 0;
  for (int i = 0; i < 4; i++) {
    while (!pop(&q, &v))
      thrd_yield();
    assert(v == (uint64_t)i + 1);
    sum += v;
  }
  thrd_join(t, NULL);
  assert(sum == 10);
}
