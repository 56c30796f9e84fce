// SPDX-License-Identifier: MIT
// A spin lock that backs off, in the style of concurrency kits: the state of
// the back-off is behind a pointer, in a function of its own.
// run: sc,tso,rc11,imm,armv8 ok 6
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define CEILING ((1 << 20) - 1)
#define LOAD_32(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#define FAS_32(p, v) __atomic_exchange_n(p, v, __ATOMIC_ACQUIRE)

typedef unsigned int backoff_t;
#define BACKOFF_INITIALIZER (1 << 9)

static inline void backoff_eb(unsigned int *c) {
  volatile unsigned int i;
  unsigned int ceiling;

  ceiling = *c;
  for (i = 0; i < ceiling; i++)
    ;

  *c = ceiling <<= ceiling < CEILING;
}

struct spinlock_fas {
  unsigned int value;
};
typedef struct spinlock_fas spinlock_fas_t;

static inline bool spinlock_fas_trylock(struct spinlock_fas *lock) {
  return FAS_32(&lock->value, true) == false;
}

static inline void spinlock_fas_lock_eb(struct spinlock_fas *lock) {
  backoff_t backoff = BACKOFF_INITIALIZER;

  while (FAS_32(&lock->value, true) == true)
    backoff_eb(&backoff);
}

static inline void spinlock_fas_unlock(struct spinlock_fas *lock) {
  __atomic_store_n(&lock->value, false, __ATOMIC_RELEASE);
}

static spinlock_fas_t lock;
static int counter;

static void *worker(void *arg) {
  spinlock_fas_lock_eb(&lock);
  counter++;
  spinlock_fas_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  assert(counter == 3);
  return 0;
}
