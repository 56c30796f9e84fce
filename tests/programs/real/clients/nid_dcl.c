// SPDX-License-Identifier: MIT
// Double-checked locking around something that is made late; with assumptions
// where a thread would wait.
// run: rc11,imm ok
// run: flags=-DWRONG rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
void __VERIFIER_assume(intptr_t);
#ifndef N
#define N 3
#endif
struct single {
  int made_by;
  int checksum;
};
#ifdef WRONG
static struct single *volatile instance;
#define LOAD() instance
#define STORE(p) (instance = (p))
#else
static _Atomic(struct single *) instance;
#define LOAD() atomic_load_explicit(&instance, memory_order_acquire)
#define STORE(p) atomic_store_explicit(&instance, (p), memory_order_release)
#endif
static atomic_flag locked = ATOMIC_FLAG_INIT;

static struct single *get(int tid) {
  struct single *p = LOAD();
  if (p)
    return p;
  __VERIFIER_assume(!atomic_flag_test_and_set(&locked));
  p = LOAD();
  if (!p) {
    p = malloc(sizeof *p);
    p->made_by = tid;
    p->checksum = ~tid;
    STORE(p);
  }
  atomic_flag_clear(&locked);
  return p;
}
static void *user(void *arg) {
  struct single *s = get((int)(intptr_t)arg);
  assert(s->made_by == ~s->checksum);
  return NULL;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, user, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  free(LOAD());
}
