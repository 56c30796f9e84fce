// SPDX-License-Identifier: MIT
// A work-stealing deque whose array grows, as task schedulers in C have it.
// run: sc,rc11,imm ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  atomic_size_t size;
  atomic_int buffer[];
} array_t;

typedef struct {
  atomic_size_t top, bottom;
  _Atomic(array_t *) array;
} deque_t;

enum { EMPTY = -1, ABORT = -2 };

static void deque_init(deque_t *q, size_t size) {
  atomic_init(&q->top, 0);
  atomic_init(&q->bottom, 0);
  array_t *a = malloc(sizeof(array_t) + sizeof(atomic_int) * size);
  atomic_init(&a->size, size);
  atomic_init(&q->array, a);
}

static void resize(deque_t *q) {
  array_t *a = atomic_load_explicit(&q->array, memory_order_relaxed);
  size_t size = a->size * 2;
  array_t *bigger = malloc(sizeof(array_t) + sizeof(atomic_int) * size);
  size_t top = atomic_load_explicit(&q->top, memory_order_relaxed);
  size_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed);
  atomic_init(&bigger->size, size);
  for (size_t i = top; i < bottom; i++)
    atomic_init(
        &bigger->buffer[i % size],
        atomic_load_explicit(&a->buffer[i % a->size], memory_order_relaxed));
  atomic_store_explicit(&q->array, bigger, memory_order_release);
}

static void push(deque_t *q, int x) {
  size_t b = atomic_load_explicit(&q->bottom, memory_order_relaxed);
  size_t t = atomic_load_explicit(&q->top, memory_order_acquire);
  array_t *a = atomic_load_explicit(&q->array, memory_order_relaxed);
  if (b - t > a->size - 1) {
    resize(q);
    a = atomic_load_explicit(&q->array, memory_order_relaxed);
  }
  atomic_store_explicit(&a->buffer[b % a->size], x, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&q->bottom, b + 1, memory_order_relaxed);
}

static int take(deque_t *q) {
  size_t b = atomic_load_explicit(&q->bottom, memory_order_relaxed) - 1;
  array_t *a = atomic_load_explicit(&q->array, memory_order_relaxed);
  atomic_store_explicit(&q->bottom, b, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  size_t t = atomic_load_explicit(&q->top, memory_order_relaxed);
  int x = EMPTY;
  if ((ptrdiff_t)(b - t) >= 0) {
    x = atomic_load_explicit(&a->buffer[b % a->size], memory_order_relaxed);
    if (t == b) {
      if (!atomic_compare_exchange_strong_explicit(
              &q->top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        x = EMPTY;
      atomic_store_explicit(&q->bottom, b + 1, memory_order_relaxed);
    }
  } else {
    atomic_store_explicit(&q->bottom, b + 1, memory_order_relaxed);
  }
  return x;
}

static int steal(deque_t *q) {
  size_t t = atomic_load_explicit(&q->top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  size_t b = atomic_load_explicit(&q->bottom, memory_order_acquire);
  if ((ptrdiff_t)(b - t) <= 0)
    return EMPTY;
  array_t *a = atomic_load_explicit(&q->array, memory_order_acquire);
  int x = atomic_load_explicit(&a->buffer[t % a->size], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit(
          &q->top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
    return ABORT;
  return x;
}

static deque_t q;
static atomic_int got[4];

static void note(int x) {
  if (x >= 0)
    assert(atomic_fetch_add(&got[x], 1) == 0);
}

static void *thief(void *arg) {
  note(steal(&q));
  return arg;
}

static void *owner(void *arg) {
  push(&q, 0);
  push(&q, 1); // grows
  note(take(&q));
  note(take(&q));
  return arg;
}

int main(void) {
  pthread_t a, b;
  deque_init(&q, 1);
  pthread_create(&a, NULL, owner, NULL);
  pthread_create(&b, NULL, thief, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(got[0] == 1 && got[1] == 1);
  return 0;
}
