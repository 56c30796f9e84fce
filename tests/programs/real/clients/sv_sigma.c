// SPDX-License-Identifier: MIT
// A number of threads that is not known, each with its element. (Only some
// numbers are tried, so nothing is said of the others.)
// run: sc,rc11,imm incomplete
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
const int SIGMA = 4;
int *array;
int array_index = 0;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *thread(void *arg) {
  pthread_mutex_lock(&m);
  array[array_index] = 1;
  array_index++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main() {
  int tid, sum;
  pthread_t *t;
  t = (pthread_t *)malloc(sizeof(pthread_t) * SIGMA);
  array = (int *)malloc(sizeof(int) * SIGMA);
  __VERIFIER_assume(t && array);
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 1 && n <= SIGMA);
  for (tid = 0; tid < SIGMA; tid++)
    array[tid] = 0;
  for (tid = 0; tid < n; tid++)
    pthread_create(&t[tid], 0, thread, 0);
  for (tid = 0; tid < n; tid++)
    pthread_join(t[tid], 0);
  for (tid = sum = 0; tid < SIGMA; tid++)
    sum += array[tid];
  assert(sum == n);
  free(t);
  free(array);
  return 0;
}
