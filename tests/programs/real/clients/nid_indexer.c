// SPDX-License-Identifier: MIT
// Threads that look for a free place in a table; here they never meet.
// run: sc,tso,rc11,imm,armv8 ok 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define SIZE 128
#define MAX 4
#define NUM_THREADS 3
atomic_int table[SIZE];
void *thread_n(void *arg) {
  int tid = *(int *)arg, zero = 0, w, h;
  for (int i = 0; i < MAX; i++) {
    w = i * 11 + tid;
    h = (w * 7) % SIZE;
    if (h < 0)
      assert(0);
    while (!atomic_compare_exchange_strong_explicit(
        &table[h], &zero, w, memory_order_acq_rel, memory_order_acquire)) {
      h = (h + 1) % SIZE;
      zero = 0;
    }
  }
  return NULL;
}
int main() {
  pthread_t t[NUM_THREADS];
  int arg[NUM_THREADS];
  for (int i = 0; i < NUM_THREADS; ++i) {
    arg[i] = i;
    pthread_create(&t[i], NULL, thread_n, &arg[i]);
  }
  for (int i = 0; i < NUM_THREADS; ++i)
    pthread_join(t[i], NULL);
  return 0;
}
