// SPDX-License-Identifier: MIT
// A ring buffer for one producer and one consumer, as a project would have it.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

enum { RING_SLOTS = 2 };

#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif

struct ring {
  atomic_uint head, tail; // of the consumer, of the producer
  int slot[RING_SLOTS];
};

static inline bool ring_put(struct ring *r, int item) {
  unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
  unsigned head = atomic_load_explicit(&r->head, memory_order_acquire);
  if (tail - head == RING_SLOTS)
    return false;
  r->slot[tail % RING_SLOTS] = item;
  atomic_store_explicit(&r->tail, tail + 1, PUBLISH);
  return true;
}

static inline bool ring_take(struct ring *r, int *item) {
  unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
  unsigned tail = atomic_load_explicit(&r->tail, memory_order_acquire);
  if (tail == head)
    return false;
  *item = r->slot[head % RING_SLOTS];
  atomic_store_explicit(&r->head, head + 1, memory_order_release);
  return true;
}
