// SPDX-License-Identifier: MIT
// A thread that parks until another one wakes it, with assumptions for waits.
// run: sc,rc11,imm ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
void __VERIFIER_assume(int);
atomic_int counter;
atomic_int cond;
atomic_bool mutex_taken;
static bool trylock(void) {
  bool f = false;
  return atomic_compare_exchange_strong(&mutex_taken, &f, true);
}
static void lock(void) {
  __VERIFIER_assume(trylock());
}
static void unlock(void) {
  atomic_store(&mutex_taken, false);
}
atomic_int x;
static void park(void) {
  if (atomic_exchange(&counter, 0) > 0)
    return;
  if (!trylock())
    return;
  if (atomic_load(&counter) > 0) {
    atomic_store(&counter, 0);
    unlock();
    return;
  }
  atomic_store(&cond, 0);
  unlock();
  __VERIFIER_assume(atomic_load(&cond));
  lock();
  atomic_store(&counter, 0);
  unlock();
}
static void unpark(void) {
  lock();
  int s = atomic_exchange(&counter, 1);
  unlock();
  if (s < 1)
    atomic_store(&cond, 1);
}
static void *parker(void *a) {
  while (atomic_load(&x) != 1)
    park();
  return a;
}
static void *unparker(void *a) {
  atomic_store(&x, 1);
  unpark();
  return a;
}
int main() {
  pthread_t p, u;
  pthread_create(&p, 0, parker, 0);
  pthread_create(&u, 0, unparker, 0);
  pthread_join(u, 0);
  pthread_join(p, 0);
}
