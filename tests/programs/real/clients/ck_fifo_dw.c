// SPDX-License-Identifier: MIT
// A queue whose ends are pointers with a counter, exchanged with cmpxchg16b and
// read in halves.
// run: sc,tso,rc11,c11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
struct entry;
struct ptr {
  struct entry *p;
  uint64_t gen;
} __attribute__((aligned(16)));
struct entry {
  void *value;
  struct ptr next;
};
static struct {
  struct ptr head;
  char pad[48];
  struct ptr tail;
} fifo;
static inline bool cas2(struct ptr *t, struct ptr c, struct ptr s) {
  bool z;
  __asm__ __volatile__("lock cmpxchg16b %0; setz %1"
                       : "+m"(*t), "=q"(z), "+a"(c.p), "+d"(c.gen)
                       : "b"(s.p), "c"(s.gen)
                       : "memory", "cc");
  return z;
}
static inline void *ldp(void *at) {
  void *r;
  __asm__ __volatile__("movq %1, %0" : "=q"(r) : "m"(*(void **)at) : "memory");
  return r;
}
static inline uint64_t ld64(uint64_t *at) {
  uint64_t r;
  __asm__ __volatile__("movq %1, %0" : "=q"(r) : "m"(*at) : "memory");
  return r;
}
static void enqueue(struct entry *e, void *v) {
  struct ptr tail, next, up;
  e->value = v;
  e->next.p = NULL;
  e->next.gen = 0;
  for (;;) {
    tail.gen = ld64(&fifo.tail.gen);
    tail.p = ldp(&fifo.tail.p);
    next.gen = ld64(&tail.p->next.gen);
    next.p = ldp(&tail.p->next.p);
    if (ld64(&fifo.tail.gen) != tail.gen)
      continue;
    if (next.p) {
      up.p = next.p;
      up.gen = tail.gen + 1;
      cas2(&fifo.tail, tail, up);
      continue;
    }
    up.p = e;
    up.gen = next.gen + 1;
    if (cas2(&tail.p->next, next, up))
      break;
  }
  up.gen = tail.gen + 1;
  cas2(&fifo.tail, tail, up);
}
static bool dequeue(void **v) {
  struct ptr head, tail, next, up;
  for (;;) {
    head.gen = ld64(&fifo.head.gen);
    head.p = ldp(&fifo.head.p);
    tail.gen = ld64(&fifo.tail.gen);
    tail.p = ldp(&fifo.tail.p);
    next.gen = ld64(&head.p->next.gen);
    next.p = ldp(&head.p->next.p);
    if (ld64(&fifo.head.gen) != head.gen)
      continue;
    up.p = next.p;
    if (head.p == tail.p) {
      if (!next.p)
        return false;
      up.gen = tail.gen + 1;
      cas2(&fifo.tail, tail, up);
      continue;
    }
    *v = ldp(&next.p->value);
    up.gen = head.gen + 1;
    if (cas2(&fifo.head, head, up))
      return true;
  }
}
static struct entry stub, e1, e2;
static int a, b;
static void *prod(void *x) {
  enqueue(&e1, &a);
  return x;
}
static void *cons(void *x) {
  void *v;
  if (dequeue(&v))
    assert(v == &a || v == &b);
  return x;
}
int main(void) {
  fifo.head.p = fifo.tail.p = &stub;
  pthread_t t[2];
  pthread_create(&t[0], 0, prod, 0);
  pthread_create(&t[1], 0, cons, 0);
#ifdef MORE
  enqueue(&e2, &b);
#else
  (void)e2;
#endif
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
