// SPDX-License-Identifier: MIT
// A loop that takes a ticket lock in each round is no await: every round leaves
// other numbers behind, so that there is no end to them. With a bound, what is
// wrong within it is found.
// run: args=--unroll args=2 sc,tso,pso,ra,rc11,imm,armv8 incomplete
// run: args=--unroll args=2 flags=-DUNSET sc,rc11,imm incomplete
// run: flags=-DEARLY sc,rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef unsigned number;

static struct { _Atomic number owner, next; } ticket_lock;
static int flag, data;

static void lock(void) {
  number mine =
      atomic_fetch_add_explicit(&ticket_lock.next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&ticket_lock.owner, memory_order_acquire) != mine)
    continue;
}

static void unlock(void) {
  number now = atomic_load_explicit(&ticket_lock.owner, memory_order_relaxed);
  atomic_store_explicit(&ticket_lock.owner, now + 1, memory_order_release);
}

static void *poll(void *unused) {
  int done;
  do {
    lock();
    done = flag;
    unlock();
  } while (!done);
  assert(data == 1);
  return unused;
}

static void *set(void *unused) {
#ifdef EARLY
  data = 1;
  flag = 1;
#endif
  lock();
  data = 1;
#ifndef UNSET
  flag = 1;
#endif
  unlock();
  return unused;
}

int main(void) {
  pthread_t setter, poller;
  pthread_create(&setter, NULL, set, NULL);
  pthread_create(&poller, NULL, poll, NULL);
  pthread_join(setter, NULL);
  pthread_join(poller, NULL);
  return 0;
}
