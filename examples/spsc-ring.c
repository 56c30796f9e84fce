// SPDX-License-Identifier: MIT
// A ring buffer for one producer and one consumer.
//
// The producer owns `tail`, the consumer owns `head`; each reads the other's
// index with acquire and publishes its own with release. The slots are ordinary
// memory. The ring has two slots and three items pass through it, so that a
// slot is used again: the consumer's release of `head` is what allows that.
//
// expect: rc11 ok; sc ok
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 2, ITEMS = 3 };

struct ring {
  atomic_uint head, tail;
  int slot[SLOTS];
};

struct ring ring;

void put(struct ring *r, int item) {
  unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
  unsigned head = atomic_load_explicit(&r->head, memory_order_acquire);
  heddle_assume(tail - head < SLOTS); // wait until there is room
  r->slot[tail % SLOTS] = item;
  atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
}

int take(struct ring *r) {
  unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
  unsigned tail = atomic_load_explicit(&r->tail, memory_order_acquire);
  heddle_assume(tail != head); // wait until there is an item
  int item = r->slot[head % SLOTS];
  atomic_store_explicit(&r->head, head + 1, memory_order_release);
  return item;
}

void *producer(void *unused) {
  for (int i = 1; i <= ITEMS; i++)
    put(&ring, i);
  return unused;
}

void *consumer(void *unused) {
  for (int i = 1; i <= ITEMS; i++)
    assert(take(&ring) == i);
  return unused;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
}
