// SPDX-License-Identifier: MIT
// A lock that its owner may take again, around one that he may not.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
typedef struct {
  atomic_uint w;
} caslock_t;
static inline bool caslock_tryacquire(caslock_t *l) {
  unsigned e = 0;
  return atomic_compare_exchange_strong_explicit(
      &l->w, &e, 1, memory_order_acquire, memory_order_relaxed);
}
static inline void caslock_acquire(caslock_t *l) {
  do {
    while (atomic_load_explicit(&l->w, memory_order_relaxed) != 0)
      ;
  } while (!caslock_tryacquire(l));
}
static inline void caslock_release(caslock_t *l) {
  atomic_store_explicit(&l->w, 0, memory_order_release);
}
#define RECLOCK_UNLOCKED UINT32_MAX
typedef struct {
  caslock_t l;
  _Atomic uint32_t owner;
  uint32_t depth;
} reclock_t;
static void reclock_acquire(reclock_t *l, uint32_t id) {
  if (atomic_load_explicit(&l->owner, memory_order_relaxed) == id) {
    l->depth++;
    return;
  }
  caslock_acquire(&l->l);
  atomic_store_explicit(&l->owner, id, memory_order_relaxed);
}
static void reclock_release(reclock_t *l) {
  if (l->depth == 0) {
    atomic_store_explicit(&l->owner, RECLOCK_UNLOCKED, memory_order_relaxed);
    caslock_release(&l->l);
    return;
  }
  l->depth--;
}
static reclock_t lock = {.owner = RECLOCK_UNLOCKED};
static uint32_t shared;
static void deeper(uint32_t id) {
  reclock_acquire(&lock, id);
  shared++;
  reclock_release(&lock);
}
static void *run(void *arg) {
  uint32_t id = (uint32_t)(uintptr_t)arg;
  for (int i = 0; i < (id == 0 ? 2 : 1); i++) {
    reclock_acquire(&lock, id);
    deeper(id);
    reclock_release(&lock);
  }
  return NULL;
}
int main(void) {
  pthread_t t[2];
  for (uintptr_t i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, run, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(shared == 3);
}
