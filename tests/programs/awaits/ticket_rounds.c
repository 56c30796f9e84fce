// SPDX-License-Identifier: MIT
// Rounds that take a ticket lock, look, and give it back only wait: those that
// fail are not explored. The setter comes first, and then the pollers in any
// order: one execution for each of these, as if they took the lock just once.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok 1
// run: flags=-DPOLLERS=2 sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DPOLLERS=3 sc,rc11,imm ok 6
// run: flags=-DHALVES flags=-DPOLLERS=2 sc,rc11,armv8 ok 2
// run: flags=-DBY_UPDATE flags=-DPOLLERS=2 sc,rc11,armv8 ok 2
// run: flags=-DUNSET flags=-DPOLLERS=2 sc,rc11,imm error hang
// run: flags=-DEARLY sc,rc11 error race
// run: args=--unroll args=3 flags=-DCOUNTED rc11 incomplete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef POLLERS
#define POLLERS 1
#endif
#ifdef HALVES
typedef uint16_t number;
#else
typedef unsigned number;
#endif

static struct { _Atomic number owner, next; } ticket_lock;
static int flag, data;

static number await_turn(_Atomic number *owner, number mine) {
  while (atomic_load_explicit(owner, memory_order_acquire) != mine)
    continue;
  return mine;
}

static number lock(void) {
  number mine =
      atomic_fetch_add_explicit(&ticket_lock.next, 1, memory_order_relaxed);
  return await_turn(&ticket_lock.owner, mine);
}

static void unlock(void) {
#ifdef BY_UPDATE
  atomic_fetch_add_explicit(&ticket_lock.owner, 1, memory_order_release);
#else
  number now = atomic_load_explicit(&ticket_lock.owner, memory_order_relaxed);
  atomic_store_explicit(&ticket_lock.owner, (number)(now + 1),
                        memory_order_release);
#endif
}

static void *poll(void *unused) {
  int done;
  number mine = 0;
  do {
    mine = lock();
    done = flag;
    unlock();
  } while (!done);
#ifdef COUNTED // somebody asks for the number: rounds count
  assert(mine < 100);
#endif
  (void)mine;
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
  pthread_t ids[POLLERS + 1];
  pthread_create(&ids[POLLERS], NULL, set, NULL);
  for (int i = 0; i < POLLERS; i++)
    pthread_create(&ids[i], NULL, poll, &ids[i]);
  for (int i = 0; i <= POLLERS; i++)
    pthread_join(ids[i], NULL);
  return 0;
}
