// SPDX-License-Identifier: MIT
// A semaphore of which several permits are taken at once, or tried.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
typedef struct {
  _Atomic uint32_t s;
} semaphore_t;
static inline uint32_t await_ge(_Atomic uint32_t *a, uint32_t v) {
  uint32_t c;
  while ((c = atomic_load_explicit(a, memory_order_relaxed)) < v)
    ;
  return c;
}
static void semaphore_acquire(uint32_t i, semaphore_t *s) {
  uint32_t c;
  do {
    c = await_ge(&s->s, i);
  } while (!atomic_compare_exchange_strong_explicit(
      &s->s, &c, c - i, memory_order_acquire, memory_order_relaxed));
}
static bool semaphore_tryacquire(uint32_t i, semaphore_t *s) {
  uint32_t c = atomic_load_explicit(&s->s, memory_order_relaxed);
  if (c < i)
    return false;
  return atomic_compare_exchange_strong_explicit(
      &s->s, &c, c - i, memory_order_acquire, memory_order_relaxed);
}
static void semaphore_release(uint32_t i, semaphore_t *s) {
  atomic_fetch_add_explicit(&s->s, i, memory_order_release);
}
static semaphore_t sem = {2};
static int data[2];
static atomic_int inside;
static void *reader(void *a) {
  semaphore_acquire(1, &sem);
  assert(data[0] == data[1]);
  semaphore_release(1, &sem);
  return a;
}
static void *writer(void *a) {
  semaphore_acquire(2, &sem);
  data[0]++;
  data[1]++;
  semaphore_release(2, &sem);
  return a;
}
static void *trier(void *a) {
  if (semaphore_tryacquire(1, &sem)) {
    assert(data[0] == data[1]);
    semaphore_release(1, &sem);
  }
  return a;
}
int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, reader, 0);
  pthread_create(&t[2], 0, trier, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(data[0] == 1 && sem.s == 2 && !inside);
}
