// SPDX-License-Identifier: MIT
// A bounded queue for many producers and consumers whose cells have sequence
// numbers; both sides try until they succeed, and spin while it is full or
// empty.
// run: sc,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct cell {
  atomic_size_t sequence;
  void *data;
};
struct mpmc {
  struct cell *buffer;
  size_t mask;
  char pad0[64];
  atomic_size_t enqueue_pos;
  char pad1[64];
  atomic_size_t dequeue_pos;
};

static void mpmc_init(struct mpmc *q, size_t n) {
  assert(n >= 2 && (n & (n - 1)) == 0);
  q->buffer = calloc(n, sizeof *q->buffer);
  q->mask = n - 1;
  for (size_t i = 0; i != n; i++)
    atomic_store_explicit(&q->buffer[i].sequence, i, memory_order_relaxed);
  atomic_store_explicit(&q->enqueue_pos, 0, memory_order_relaxed);
  atomic_store_explicit(&q->dequeue_pos, 0, memory_order_relaxed);
}

static bool enqueue(struct mpmc *q, void *data) {
  struct cell *c;
  size_t pos = atomic_load_explicit(&q->enqueue_pos, memory_order_relaxed);
  for (;;) {
    c = &q->buffer[pos & q->mask];
    size_t seq = atomic_load_explicit(&c->sequence, memory_order_acquire);
    intptr_t dif = (intptr_t)seq - (intptr_t)pos;
    if (dif == 0) {
      if (atomic_compare_exchange_weak_explicit(&q->enqueue_pos, &pos, pos + 1,
                                                memory_order_relaxed,
                                                memory_order_relaxed))
        break;
    } else if (dif < 0) {
      return false;
    } else {
      pos = atomic_load_explicit(&q->enqueue_pos, memory_order_relaxed);
    }
  }
  c->data = data;
  atomic_store_explicit(&c->sequence, pos + 1, memory_order_release);
  return true;
}

static bool dequeue(struct mpmc *q, void **data) {
  struct cell *c;
  size_t pos = atomic_load_explicit(&q->dequeue_pos, memory_order_relaxed);
  for (;;) {
    c = &q->buffer[pos & q->mask];
    size_t seq = atomic_load_explicit(&c->sequence, memory_order_acquire);
    intptr_t dif = (intptr_t)seq - (intptr_t)(pos + 1);
    if (dif == 0) {
      if (atomic_compare_exchange_weak_explicit(&q->dequeue_pos, &pos, pos + 1,
                                                memory_order_relaxed,
                                                memory_order_relaxed))
        break;
    } else if (dif < 0) {
      return false;
    } else {
      pos = atomic_load_explicit(&q->dequeue_pos, memory_order_relaxed);
    }
  }
  *data = c->data;
  atomic_store_explicit(&c->sequence, pos + q->mask + 1, memory_order_release);
  return true;
}

static struct mpmc q;

static void *produce(void *arg) {
  while (!enqueue(&q, arg))
    ;
  return NULL;
}

static void *consume(void *arg) {
  void *got;
  while (!dequeue(&q, &got))
    ;
  assert(got == (void *)1 || got == (void *)2);
  return arg;
}

int main(void) {
  pthread_t p[2], c;
  mpmc_init(&q, 2);
  for (long i = 0; i < 2; i++)
    pthread_create(&p[i], NULL, produce, (void *)(i + 1));
  pthread_create(&c, NULL, consume, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(p[i], NULL);
  pthread_join(c, NULL);
  free(q.buffer);
  return 0;
}
