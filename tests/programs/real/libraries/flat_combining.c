// SPDX-License-Identifier: MIT
// Flat combining: threads publish what they want, and whoever gets the lock
// does it for all of them.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define THREADS 2

struct request {
  atomic_bool pending;
  int argument;
  int result;
};

static struct request requests[THREADS];
static atomic_flag combiner = ATOMIC_FLAG_INIT;
static int sum; // only the combiner

static void combine(void) {
  for (int i = 0; i < THREADS; i++)
    if (atomic_load_explicit(&requests[i].pending, memory_order_acquire)) {
      sum += requests[i].argument;
      requests[i].result = sum;
      atomic_store_explicit(&requests[i].pending, false, memory_order_release);
    }
}

static int apply(int me, int argument) {
  struct request *r = &requests[me];
  r->argument = argument;
  atomic_store_explicit(&r->pending, true, memory_order_release);
  while (atomic_load_explicit(&r->pending, memory_order_acquire)) {
    if (!atomic_flag_test_and_set_explicit(&combiner, memory_order_acquire)) {
      combine();
      atomic_flag_clear_explicit(&combiner, memory_order_release);
    }
  }
  return r->result;
}

static void *work(void *arg) {
  int me = (int)(long)arg;
  int got = apply(me, me + 1);
  assert(got == me + 1 || got == 3);
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  assert(sum == 3);
  return 0;
}
