// SPDX-License-Identifier: MIT
// A toy RCU: a reader raises its flag, follows the pointer and lowers the flag;
// the writer publishes a new object, waits until the flag is down and frees the
// old one. Without a full barrier in the read lock, the pointer may be read
// before the flag is seen: store buffering, which even x86 does.
//
// expect: rc11 error free-race; tso error free-race
// run: flags=-DMENDED rc11 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int is_reading;
static _Atomic(int *) current;

static void read_lock(void) {
  atomic_store_explicit(&is_reading, 1, memory_order_relaxed);
#ifdef MENDED
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void read_unlock(void) {
  atomic_store_explicit(&is_reading, 0, memory_order_release);
}

static void synchronize(void) {
  atomic_thread_fence(memory_order_seq_cst);
  while (atomic_load_explicit(&is_reading, memory_order_acquire))
    ;
}

static void *reader(void *unused) {
  read_lock();
  int *p = atomic_load_explicit(&current, memory_order_acquire);
  assert(*p == 1 || *p == 2);
  read_unlock();
  return unused;
}

static int *make(int value) {
  int *p = malloc(sizeof *p);
  *p = value;
  return p;
}

int main(void) {
  pthread_t other;
  int *old = make(1);
  atomic_store(&current, old);
  pthread_create(&other, NULL, reader, NULL);
  atomic_store_explicit(&current, make(2), memory_order_release);
  synchronize();
  free(old);
  pthread_join(other, NULL);
  free(atomic_load(&current));
  return 0;
}
