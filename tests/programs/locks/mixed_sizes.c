// SPDX-License-Identifier: MIT
// Locks whose parts are accessed on their own and as a whole: a ticket lock of
// two halves that is taken by one addition to the word, bytes of a lock that
// are seen as a word, a lock and a counter that one compare-exchange changes
// together while the lock is free (as Linux's lockref). WRONG: tickets are
// drawn in two steps; only the own byte is looked at; it does not matter
// whether the lock is free.
// run: flags=-DTICKET sc,tso,pso,ra,rc11,imm,armv8 ok 4
// run: flags=-DTICKET flags=-DWRONG sc,tso,rc11,imm,armv8 error hang
// run: flags=-DBYTES sc,tso,rc11,imm,armv8 ok; ra error race
// run: flags=-DBYTES flags=-DWRONG sc,tso,rc11,imm,armv8 error race
// run: flags=-DLOCKREF sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DLOCKREF flags=-DWRONG sc,tso,rc11,imm,armv8 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static int x;

#ifdef TICKET
static union {
  atomic_uint word;
  struct {
    atomic_ushort owner, next;
  } half;
} ticket;

static unsigned draw(void) {
#ifdef WRONG
  unsigned word = atomic_load(&ticket.word);
  atomic_store(&ticket.word, word + 0x10000);
  return word;
#else
  return atomic_fetch_add(&ticket.word, 0x10000);
#endif
}

static void work(int me) {
  (void)me;
  unsigned word = draw();
  unsigned short owner = word & 0xffff, mine = word >> 16;
  if (owner != mine)
    while (atomic_load(&ticket.half.owner) != mine) // BUG
      ;
  x++;
  atomic_store_explicit(&ticket.half.owner, mine + 1, memory_order_release);
}

static void at_end(void) {
  assert(x == 2 && ticket.word == 0x20002);
}
#endif

#ifdef BYTES
static union {
  atomic_ushort word;
  atomic_uchar of[2];
} busy;

static bool is_alone(int me) {
#ifdef WRONG
  return atomic_load(&busy.of[me]) == 1;
#else
  return atomic_load(&busy.word) == 1 << 8 * me;
#endif
}

static void work(int me) {
  atomic_store(&busy.of[me], 1);
  if (is_alone(me))
    x++; // BUG
  atomic_store(&busy.of[me], 0);
}

static void at_end(void) {
  assert(x <= 2 && busy.word == 0);
}
#endif

#ifdef LOCKREF
static union {
  atomic_ulong whole;
  struct {
    atomic_uint lock, count;
  } part;
} ref;

static bool count_without_lock(void) {
  unsigned long old = atomic_load_explicit(&ref.whole, memory_order_relaxed);
#ifndef WRONG
  if (old & 0xffffffff)
    return false;
#endif
  return atomic_compare_exchange_strong(&ref.whole, &old, old + (1ul << 32));
}

static void work(int me) {
  if (me && count_without_lock())
    return;
  for (unsigned is_free = 0;
       !atomic_compare_exchange_strong(&ref.part.lock, &is_free, 1);)
    is_free = 0;
  unsigned count = atomic_load_explicit(&ref.part.count, memory_order_relaxed);
  atomic_store_explicit(&ref.part.count, count + 1, memory_order_relaxed);
  atomic_store_explicit(&ref.part.lock, 0, memory_order_release);
}

static void at_end(void) {
  assert(ref.part.lock == 0);
  assert(ref.part.count == 2); // BUG
}
#endif

static void *other(void *arg) {
  work(1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  work(0);
  pthread_join(t, NULL);
  at_end();
  return x > 2;
}
