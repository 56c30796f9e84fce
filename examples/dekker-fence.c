// SPDX-License-Identifier: MIT
// Dekker's entry with the fence that it needs.
//
// A sequentially consistent fence between the store and the load makes sure
// that the threads cannot both miss the other's announcement (compare
// dekker-acquire.c). Relaxed accesses are enough around it. Of the four
// combinations that two loads can see, three are left.
//
// expect: rc11 ok 3; sc ok 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];
int entered[2];

void *thread(void *number) {
  int me = (int)(long)number;
  atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (!atomic_load_explicit(&wants[1 - me], memory_order_relaxed))
    entered[me] = 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, thread, (void *)0);
  pthread_create(&b, NULL, thread, (void *)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(entered[0] && entered[1]));
}
