// SPDX-License-Identifier: MIT
// Store buffering: why release and acquire are not enough for Dekker.
//
// Each thread announces that it wants to enter, then looks whether the other
// one has announced the same. It seems that at least one of them must see the
// other. But a store may wait in the store buffer of its processor while the
// load that follows is already done, and release/acquire allow exactly that:
// they never order a store before a later load. So both threads can enter.
// Even x86 does this. dekker-fence.c has the repair.
//
// expect: rc11 error assertion; sc ok 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];
int entered[2];

void *thread(void *number) {
  int me = (int)(long)number;
  atomic_store_explicit(&wants[me], 1, memory_order_release);
  if (!atomic_load_explicit(&wants[1 - me], memory_order_acquire))
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
