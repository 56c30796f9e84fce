// SPDX-License-Identifier: MIT
// A sense-reversing barrier, in the manner of ck_barrier_centralized. The last
// thread that arrives turns the sense around, and there is a fence after the
// wait. But none comes before the arrival, so what a thread wrote before the
// barrier need not be there for the others after it.
//
// expect: rc11 error race
// run: flags=-DMENDED rc11 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { THREADS = 2 };

static atomic_uint arrived;
static atomic_bool sense;
static int data[THREADS];

static void barrier(bool *local) {
  *local = !*local;
#ifdef MENDED
  atomic_thread_fence(memory_order_seq_cst);
#endif
  if (atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed) ==
      THREADS - 1) {
    atomic_store_explicit(&arrived, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&sense, *local, memory_order_relaxed);
  } else {
    while (atomic_load_explicit(&sense, memory_order_relaxed) != *local)
      ;
  }
  atomic_thread_fence(memory_order_seq_cst);
}

static void *run(void *argument) {
  long me = (long)argument;
  bool local = false;
  data[me] = 1;
  barrier(&local);
  assert(data[1 - me] == 1);
  return argument;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, run, (void *)1L);
  run((void *)0L);
  pthread_join(other, NULL);
  return 0;
}
