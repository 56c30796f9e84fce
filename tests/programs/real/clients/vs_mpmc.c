// SPDX-License-Identifier: MIT
// A bounded queue whose cells carry sequence numbers, for any number of
// producers and consumers.
// run: rc11,imm,armv8 ok
// run: flags=-DWEAK rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define SIZE 2
#ifdef WEAK
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct cell {
  atomic_size_t seq;
  uintptr_t data;
};
struct queue {
  struct cell cells[SIZE];
  _Alignas(64) atomic_size_t enqueue_pos;
  _Alignas(64) atomic_size_t dequeue_pos;
};

static void queue_init(struct queue *q) {
  for (size_t i = 0; i < SIZE; i++)
    atomic_init(&q->cells[i].seq, i);
  atomic_init(&q->enqueue_pos, 0);
  atomic_init(&q->dequeue_pos, 0);
}

static bool queue_push(struct queue *q, uintptr_t data) {
  size_t pos = atomic_load_explicit(&q->enqueue_pos, memory_order_relaxed);
  for (;;) {
    struct cell *c = &q->cells[pos & (SIZE - 1)];
    size_t seq = atomic_load_explicit(&c->seq, memory_order_acquire);
    intptr_t dif = (intptr_t)seq - (intptr_t)pos;
    if (dif == 0) {
      if (atomic_compare_exchange_weak_explicit(&q->enqueue_pos, &pos, pos + 1,
                                                memory_order_relaxed,
                                                memory_order_relaxed)) {
        c->data = data;
        atomic_store_explicit(&c->seq, pos + 1, PUBLISH);
        return true;
      }
    } else if (dif < 0) {
      return false;
    } else {
      pos = atomic_load_explicit(&q->enqueue_pos, memory_order_relaxed);
    }
  }
}

static bool queue_pop(struct queue *q, uintptr_t *data) {
  size_t pos = atomic_load_explicit(&q->dequeue_pos, memory_order_relaxed);
  for (;;) {
    struct cell *c = &q->cells[pos & (SIZE - 1)];
    size_t seq = atomic_load_explicit(&c->seq, memory_order_acquire);
    intptr_t dif = (intptr_t)seq - (intptr_t)(pos + 1);
    if (dif == 0) {
      if (atomic_compare_exchange_weak_explicit(&q->dequeue_pos, &pos, pos + 1,
                                                memory_order_relaxed,
                                                memory_order_relaxed)) {
        *data = c->data;
        atomic_store_explicit(&c->seq, pos + SIZE, memory_order_release);
        return true;
      }
    } else if (dif < 0) {
      return false;
    } else {
      pos = atomic_load_explicit(&q->dequeue_pos, memory_order_relaxed);
    }
  }
}

static struct queue q;
static atomic_uint got;

static void *producer(void *arg) {
  bool ok = queue_push(&q, (uintptr_t)arg);
  assert(ok);
  return NULL;
}
static void *consumer(void *arg) {
  (void)arg;
  uintptr_t v;
  if (queue_pop(&q, &v)) {
    assert(v == 1 || v == 2);
    atomic_fetch_or(&got, (unsigned)v);
  }
  return NULL;
}

int main(void) {
  pthread_t t[4];
  queue_init(&q);
  pthread_create(&t[0], NULL, producer, (void *)1);
  pthread_create(&t[1], NULL, producer, (void *)2);
  pthread_create(&t[2], NULL, consumer, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  uintptr_t v;
  unsigned all = atomic_load(&got);
  while (queue_pop(&q, &v))
    all |= (unsigned)v;
  assert(all == 3);
  return 0;
}
