// SPDX-License-Identifier: MIT
// More threads than an execution may have: the answer is incomplete, unless the
// first of them show an error.
// expect: sc,rc11,armv8 incomplete
// run: flags=-DTHREADS=62 sc,rc11,armv8 ok 1
// run: flags=-DRACES sc,rc11,armv8 error race
#include <pthread.h>

#ifndef THREADS
#define THREADS 70
#endif

#ifdef RACES
static int counter;
#else
static _Thread_local int counter;
#endif

static void *nothing(void *arg) {
  counter++; // BUG
  return arg;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], 0, nothing, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], 0);
  return 0;
}
