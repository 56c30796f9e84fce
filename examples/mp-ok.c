// SPDX-License-Identifier: MIT
// Message passing, done right.
//
// One thread fills in a message and raises a flag; the other looks at the flag
// and, if it is up, reads the message. The message itself is an ordinary
// variable. What makes this safe is the pair release/acquire: whoever reads the
// flag with acquire and sees the value stored with release also sees everything
// that was written before that store.
//
// There are two executions: the reader comes too early, or it sees the flag and
// then certainly the message. Compare mp-relaxed.c.
//
// expect: rc11 ok 2; sc ok 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int ready;

void *sender(void *unused) {
  message = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return unused;
}

void *receiver(void *unused) {
  if (atomic_load_explicit(&ready, memory_order_acquire))
    assert(message == 42);
  return unused;
}

int main(void) {
  pthread_t s, r;
  pthread_create(&s, NULL, sender, NULL);
  pthread_create(&r, NULL, receiver, NULL);
  pthread_join(s, NULL);
  pthread_join(r, NULL);
}
