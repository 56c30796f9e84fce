// SPDX-License-Identifier: MIT
// Readers that step back when a writer is there.
// run: sc,tso,rc11,imm,armv8 ok
// run: ra error race
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
static atomic_int writers, readers;
static int d;
static bool try_read(void) {
  if (atomic_load_explicit(&writers, memory_order_acquire))
    return false;
  atomic_fetch_add(&readers, 1);
  if (!atomic_load(&writers))
    return true;
  atomic_fetch_sub_explicit(&readers, 1, memory_order_release);
  return false;
}
static void read_lock(void) {
  while (!try_read())
    sched_yield();
}
static void read_unlock(void) {
  atomic_fetch_sub_explicit(&readers, 1, memory_order_release);
}
static void write_lock(void) {
  int z = 0;
  while (!atomic_compare_exchange_weak(&writers, &z, 1))
    z = 0;
  while (atomic_load_explicit(&readers, memory_order_seq_cst))
    ;
}
static void write_unlock(void) {
  atomic_store_explicit(&writers, 0, memory_order_release);
}
static void *r(void *a) {
  read_lock();
  int s = d;
  assert(s == d);
  read_unlock();
  return a;
}
static void *w(void *a) {
  write_lock();
  d++;
  write_unlock();
  return a;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, r, 0);
  pthread_create(&t[1], 0, w, 0);
#ifdef TWO
  pthread_create(&t[2], 0, r, 0);
  pthread_join(t[2], 0);
#endif
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(d == 1);
}
