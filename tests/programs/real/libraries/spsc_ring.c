// SPDX-License-Identifier: MIT
// A ring between one producer and one consumer, with cached indices and
// padding, blocking by spinning.
// run: sc,rc11,imm ok
#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct ring {
  alignas(64) atomic_size_t head;
  size_t cached_tail;
  alignas(64) atomic_size_t tail;
  size_t cached_head;
  alignas(64) size_t mask;
  size_t item;
  unsigned char data[];
};

static struct ring *ring_new(size_t n, size_t item) {
  struct ring *r = aligned_alloc(64, (sizeof *r + n * item + 63) & ~63ul);
  memset(r, 0, sizeof *r);
  r->mask = n - 1;
  r->item = item;
  return r;
}

static bool ring_push(struct ring *r, const void *item) {
  size_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
  if (head - r->cached_tail > r->mask) {
    r->cached_tail = atomic_load_explicit(&r->tail, memory_order_acquire);
    if (head - r->cached_tail > r->mask)
      return false;
  }
  memcpy(&r->data[(head & r->mask) * r->item], item, r->item);
  atomic_store_explicit(&r->head, head + 1, memory_order_release);
  return true;
}

static bool ring_pop(struct ring *r, void *item) {
  size_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
  if (tail == r->cached_head) {
    r->cached_head = atomic_load_explicit(&r->head, memory_order_acquire);
    if (tail == r->cached_head)
      return false;
  }
  memcpy(item, &r->data[(tail & r->mask) * r->item], r->item);
  atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
  return true;
}

struct message {
  int id;
  double value;
  char text[6];
};

static struct ring *ring;

static void *produce(void *arg) {
  for (int i = 0; i < 3; i++) {
    struct message m = {.id = i, .value = i * 0.5, .text = "ping"};
    while (!ring_push(ring, &m))
      ;
  }
  return arg;
}

static void *consume(void *arg) {
  for (int i = 0; i < 3; i++) {
    struct message m;
    while (!ring_pop(ring, &m))
      ;
    assert(m.id == i && m.value == i * 0.5 && strcmp(m.text, "ping") == 0);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  ring = ring_new(2, sizeof(struct message));
  pthread_create(&a, NULL, produce, NULL);
  pthread_create(&b, NULL, consume, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(ring);
  return 0;
}
