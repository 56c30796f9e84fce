// SPDX-License-Identifier: MIT
// A lock with a flag for each who waits, in an array; three threads in any
// order.
// run: sc,tso,rc11,imm,armv8 ok 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#define CACHELINE 64
typedef struct {
  _Atomic uint8_t ready;
} __attribute__((aligned(CACHELINE))) array_flag_t;
typedef struct {
  _Atomic uint8_t tail;
  array_flag_t *flags;
  uint32_t len;
} arraylock_t;
static void arraylock_init(arraylock_t *l, array_flag_t *f, uint32_t len) {
  l->flags = f;
  l->len = len;
  atomic_init(&l->tail, 0);
  for (uint32_t i = 0; i < len; i++)
    atomic_init(&f[i].ready, 0);
  atomic_store_explicit(&f[0].ready, 1, memory_order_relaxed);
}
static void arraylock_acquire(arraylock_t *l, uint32_t *slot) {
  uint8_t t = atomic_fetch_add_explicit(&l->tail, 1, memory_order_relaxed);
  *slot = t % l->len;
  while (!atomic_load_explicit(&l->flags[*slot].ready, memory_order_acquire))
    ;
}
static void arraylock_release(arraylock_t *l, uint32_t slot) {
  atomic_store_explicit(&l->flags[slot].ready, 0, memory_order_relaxed);
  atomic_store_explicit(&l->flags[(slot + 1) % l->len].ready, 1,
                        memory_order_release);
}
static array_flag_t flags[4];
static arraylock_t lock;
static unsigned cs;
static void *run(void *a) {
  uint32_t slot;
  arraylock_acquire(&lock, &slot);
  cs++;
  arraylock_release(&lock, slot);
  return a;
}
int main(void) {
  pthread_t t[3];
  arraylock_init(&lock, flags, 4);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(cs == 3);
}
