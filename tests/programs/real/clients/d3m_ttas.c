// SPDX-License-Identifier: MIT
// A lock that is looked at before it is tried, with the marks of a bounded
// checker.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <dat3m.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
typedef struct {
  atomic_int state;
} ttaslock_t;
static int await_for_lock(struct ttas *l);
static inline void lk_init(ttaslock_t *l) {
  atomic_init(&l->state, 0);
}
static inline void lk(ttaslock_t *l) {
  while (1) {
    while (atomic_load_explicit(&l->state, memory_order_relaxed) != 0)
      ;
    if (atomic_exchange_explicit(&l->state, 1, memory_order_acquire) == 0)
      return;
  }
}
static inline void ul(ttaslock_t *l) {
  atomic_store_explicit(&l->state, 0, memory_order_release);
}
ttaslock_t lock;
int shared, sum;
void *thread_n(void *arg) {
  intptr_t index = (intptr_t)arg;
  lk(&lock);
  shared = (int)index;
  int r = shared;
  assert(r == index);
  sum++;
  ul(&lock);
  return NULL;
}
int main() {
  pthread_t t[3];
  lk_init(&lock);
  __VERIFIER_loop_bound(4);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, thread_n, (void *)(size_t)i);
  __VERIFIER_loop_bound(4);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(sum == 3);
  return 0;
}
