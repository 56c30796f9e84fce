// SPDX-License-Identifier: MIT
// Code for x86: a ring of one producer and one consumer whose indices are
// volatile, with barriers for the compiler alone. By C11 it races; the machine
// keeps the stores in order and the loads in order, so nothing is wrong there.
// With BUG the producer publishes a slot before it is filled.
// expect: all error race
// run: args=--races args=off sc ok; tso ok; pso error assertion; rc11 error assertion
// run: args=--races args=model sc ok; tso error race; rc11 error race
// run: args=--races args=model args=--volatile args=relaxed tso ok; pso error race
// run: args=--races args=model args=--volatile args=relaxed armv8 error race; rc11 error race
// run: args=--races args=model args=--volatile args=relaxed power error race; riscv error race
// run: flags=-DBUG args=--races args=model args=--volatile args=relaxed tso error race
// run: flags=-DBUG args=--races args=model sc error assertion
#include <assert.h>
#include <pthread.h>

#define barrier() __asm__ volatile("" ::: "memory")

enum { SLOTS = 2, ITEMS = 2 };

static int slots[SLOTS];
static volatile unsigned head, tail;

static int put(int value) {
  if (head - tail == SLOTS)
    return 0;
#ifdef BUG
  unsigned at = head;
  head = at + 1;
  barrier();
  slots[at % SLOTS] = value; // BUG
#else
  slots[head % SLOTS] = value; // BUG
  barrier();
  head = head + 1; // BUG
#endif
  return 1;
}

static int get(int *value) {
  if (tail == head) // BUG
    return 0;
  barrier();
  *value = slots[tail % SLOTS]; // BUG
  barrier();
  tail = tail + 1;
  return 1;
}

static void *producer(void *arg) {
  for (int i = 1; i <= ITEMS; i++)
    while (!put(i))
      ;
  return arg;
}

static void *consumer(void *arg) {
  for (int i = 1; i <= ITEMS; i++) {
    int value = 0;
    while (!get(&value))
      ;
    assert(value == i); // BUG
  }
  return arg;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, 0, producer, 0);
  pthread_create(&c, 0, consumer, 0);
  pthread_join(p, 0);
  pthread_join(c, 0);
  return 0;
}
