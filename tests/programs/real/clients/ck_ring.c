// SPDX-License-Identifier: MIT
// A ring for one producer and one consumer, and a stack with many of the first
// kind; primitives in assembly.
// run: tso,rc11,imm,armv8 ok
// run: flags=-DWEAK rc11 error race
#include "ck_pr.h"

#include <assert.h>
#include <pthread.h>

struct ring {
  unsigned c_head;
  char pad[64 - sizeof(unsigned)];
  unsigned p_tail;
  unsigned p_head;
  unsigned size, mask;
};
struct entry {
  void *value;
};

CK_CC_INLINE void ring_init(struct ring *r, unsigned size) {
  r->size = size;
  r->mask = size - 1;
  r->p_tail = 0;
  r->p_head = 0;
  r->c_head = 0;
}
CK_CC_INLINE bool ring_enqueue_spsc(struct ring *r, struct entry *b, void *v) {
  unsigned consumer, producer, delta;
  consumer = pr_load_uint(&r->c_head);
  producer = r->p_tail;
  delta = producer + 1;
  if ((delta & r->mask) == (consumer & r->mask))
    return false;
  b[producer & r->mask].value = v;
#ifndef WEAK
  pr_fence_store();
  pr_store_uint(&r->p_tail, delta);
#else
  r->p_tail = delta;
#endif
  return true;
}
CK_CC_INLINE bool ring_dequeue_spsc(struct ring *r, struct entry *b, void **v) {
  unsigned consumer, producer;
  consumer = r->c_head;
  producer = pr_load_uint(&r->p_tail);
  if (consumer == producer)
    return false;
  pr_fence_load();
  *v = b[consumer & r->mask].value;
  pr_fence_store();
  pr_store_uint(&r->c_head, consumer + 1);
  return true;
}

static struct ring ring;
static struct entry buffer[4];
static int items[3];

static void *producer(void *arg) {
  for (int i = 0; i < 3; i++) {
    items[i] = i + 1;
    while (!ring_enqueue_spsc(&ring, buffer, &items[i]))
      pr_stall();
  }
  return arg;
}
static void *consumer(void *arg) {
  for (int i = 0; i < 3; i++) {
    void *v;
    while (!ring_dequeue_spsc(&ring, buffer, &v))
      pr_stall();
    assert(*(int *)v == i + 1);
  }
  return arg;
}

int main(void) {
  pthread_t p, c;
  ring_init(&ring, 4);
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
}
