// SPDX-License-Identifier: MIT
// A bounded queue whose slots have turns, in the style of C++ libraries ported
// to C: tickets by fetch_add, adaptive spinning, then a futex.
// run: sc,rc11 ok
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CAPACITY 2
#define SPIN_LIMIT 3

static int futex(_Atomic uint32_t *at, int op, uint32_t value) {
  return (int)syscall(SYS_futex, at, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL,
                      0);
}

struct sequencer {
  _Atomic uint32_t state;
};

static void wait_for_turn(struct sequencer *s, uint32_t turn) {
  uint32_t seen;
  for (unsigned tries = 0;
       (seen = atomic_load_explicit(&s->state, memory_order_acquire)) != turn;
       tries++) {
    if (tries < SPIN_LIMIT)
      __builtin_ia32_pause();
    else
      futex(&s->state, FUTEX_WAIT, seen);
  }
}

static void complete_turn(struct sequencer *s, uint32_t turn) {
  atomic_store_explicit(&s->state, turn + 1, memory_order_release);
  futex(&s->state, FUTEX_WAKE, INT_MAX);
}

static struct {
  struct sequencer turns[CAPACITY];
  int contents[CAPACITY];
  _Atomic uint64_t push_ticket, pop_ticket;
} queue;

static void push(int value) {
  uint64_t ticket = atomic_fetch_add(&queue.push_ticket, 1);
  struct sequencer *s = &queue.turns[ticket % CAPACITY];
  uint32_t turn = (uint32_t)(ticket / CAPACITY) * 2;
  wait_for_turn(s, turn);
  queue.contents[ticket % CAPACITY] = value;
  complete_turn(s, turn);
}

static int pop(void) {
  uint64_t ticket = atomic_fetch_add(&queue.pop_ticket, 1);
  struct sequencer *s = &queue.turns[ticket % CAPACITY];
  uint32_t turn = (uint32_t)(ticket / CAPACITY) * 2 + 1;
  wait_for_turn(s, turn);
  int value = queue.contents[ticket % CAPACITY];
  complete_turn(s, turn);
  return value;
}

static void *producer(void *arg) {
  push(1);
  return arg;
}

static void *consumer(void *arg) {
  assert(pop() == 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
