// SPDX-License-Identifier: MIT
// A queued spin lock in one word, after the design of Linux: a locked byte, a
// pending bit for the second thread, and the tail of a queue of the others.
// NO_PENDING sends the second thread to the queue at once, so that three are
// enough for all that happens there.
//
// All 22 operations are seq_cst, unless LINUX gives them the orders of Linux
// 5.6, in which addresses depend on what was loaded. WITHOUT_FENCE is the error
// of Linux 4.5 to 4.15: nothing orders the new node before what links it.
#include "client.h"

#ifdef LINUX
#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#else
#define RLX memory_order_seq_cst
#define ACQ memory_order_seq_cst
#define REL memory_order_seq_cst
#endif

#define load atomic_load_explicit
#define store atomic_store_explicit
#define cas atomic_compare_exchange_strong_explicit

enum { LOCKED = 1, PENDING = 1 << 8, BUSY = 0xffff, TAIL = ~BUSY };

static struct node {
  _Atomic(struct node *) next;
  atomic_int is_first;
} nodes[N];
static atomic_int word;

// The place of the second thread; false: it is not free.
static int wait_as_second(void) {
  int seen;
  while ((seen = load(&word, RLX)) == PENDING)
    continue;
  if (seen & ~LOCKED)
    return 0;
  seen = atomic_fetch_or_explicit(&word, PENDING, ACQ);
  if (seen & ~LOCKED) {
    if (!(seen & PENDING))
      atomic_fetch_and_explicit(&word, ~PENDING, RLX);
    return 0;
  }
  while (load(&word, ACQ) & LOCKED)
    continue;
  atomic_fetch_add_explicit(&word, LOCKED - PENDING, RLX);
  return 1;
}

static int try(void) {
  int free = 0;
  return load(&word, RLX) == 0 && cas(&word, &free, LOCKED, ACQ, RLX);
}

// Makes itself the last of the queue; yields who was.
static int swap_tail(int tail) {
  int seen = load(&word, RLX);
  while (!cas(&word, &seen, (seen & BUSY) | tail, RLX, RLX))
    continue;
  return seen & TAIL;
}

static void wait_in_queue(int me) {
  struct node *mine = &nodes[me], *next;
  int tail = (me + 1) << 16, seen;
  store(&mine->is_first, 0, RLX);
  store(&mine->next, (struct node *)0, RLX);
  if (try())
    return;
#ifndef WITHOUT_FENCE
  atomic_thread_fence(REL);
#endif
  int before = swap_tail(tail);
  if (before) {
    store(&nodes[(before >> 16) - 1].next, mine, RLX);
    while (!load(&mine->is_first, ACQ))
      continue;
    next = load(&mine->next, RLX);
  }
  while ((seen = load(&word, ACQ)) & BUSY)
    continue;
  if ((seen & TAIL) == tail && cas(&word, &seen, LOCKED, RLX, RLX))
    return;
  atomic_fetch_or_explicit(&word, LOCKED, RLX);
  while (!(next = load(&mine->next, RLX)))
    continue;
  store(&next->is_first, 1, REL);
}

static void lock(int me) {
  int free = 0;
  if (cas(&word, &free, LOCKED, ACQ, RLX))
    return;
#ifndef NO_PENDING
  if (wait_as_second())
    return;
#endif
  wait_in_queue(me);
}

static void unlock(int me) {
  (void)me;
  atomic_fetch_sub_explicit(&word, LOCKED, REL);
}
