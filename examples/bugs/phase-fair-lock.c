// SPDX-License-Identifier: MIT
// A phase-fair read-write lock, reduced to its writers, in the manner of
// ck_pflock. A writer takes a ticket, tells the readers (two low bits of `rin`)
// and waits until those that were there before have gone. To unlock, it takes
// its bits back and lets the next writer in: two relaxed updates of different
// locations, which ARM may do in the other order. The next writer then finds
// the old bits in `rin`, and waits for a number of readers that never comes.
//
// expect: armv8 error hang; tso ok; sc ok
// run: flags=-DMENDED armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { PRESENT = 2, PHASE = 1, BITS = 3, READER = 4 };

#ifdef MENDED
#define HAND_OVER memory_order_release
#else
#define HAND_OVER memory_order_relaxed
#endif

static atomic_uint rin, rout, win, wout;
static int data;

static void write_lock(void) {
  unsigned ticket = atomic_fetch_add_explicit(&win, 1, memory_order_relaxed);
  while (atomic_load_explicit(&wout, memory_order_relaxed) != ticket)
    ;
  unsigned bits = PRESENT | (ticket & PHASE);
  unsigned readers =
      atomic_fetch_add_explicit(&rin, bits, memory_order_relaxed);
  while (atomic_load_explicit(&rout, memory_order_relaxed) != readers)
    ;
  atomic_thread_fence(memory_order_acquire);
}

static void write_unlock(void) {
  atomic_thread_fence(memory_order_release);
  atomic_fetch_and_explicit(&rin, ~(unsigned)BITS, memory_order_relaxed);
  atomic_fetch_add_explicit(&wout, 1, HAND_OVER);
}

static void *writer(void *unused) {
  write_lock();
  data++;
  write_unlock();
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, writer, NULL);
  writer(NULL);
  pthread_join(other, NULL);
  assert(data == 2);
  return 0;
}
