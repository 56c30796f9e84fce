// SPDX-License-Identifier: MIT
// A client of a lock: N threads that count under it, ROUNDS times each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef N
#define N 2
#endif

static void lock(int me);
static void unlock(int me);
static int counter;

static void *count(void *arg) {
  int me = (int)(long)arg;
  for (int i = 0; i < ROUNDS; i++) {
    lock(me);
    counter++;
    unlock(me);
  }
  return 0;
}

int main(void) {
  pthread_t ids[N];
  for (long i = 0; i < N; i++)
    pthread_create(&ids[i], 0, count, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(ids[i], 0);
  assert(counter == N * ROUNDS);
}
