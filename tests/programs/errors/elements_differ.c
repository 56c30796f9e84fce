// SPDX-License-Identifier: MIT
// Threads with an element of an array each are equal only if the elements are:
// the last of them says what is in x, and both may be the last.
// run: flags=-DBEGIN=1 flags=-DWRONG=0 all error assertion
// run: flags=-DBEGIN=1 flags=-DWRONG=1 all error assertion
// Main has written something else to each,
// run: flags=-DPREPARED flags=-DWRONG=3 all error assertion
// run: flags=-DPREPARED flags=-DWRONG=4 all error assertion
// or has told one of them apart by a pointer to it.
// run: flags=-DPOINTED flags=-DWRONG=0 all error assertion
// run: flags=-DPOINTED flags=-DWRONG=5 all error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BEGIN
#define BEGIN 0
#endif

struct element {
  atomic_int value;
};

static struct element elements[2] = {{0}, {BEGIN}};
static _Atomic(struct element *) chosen;
static atomic_int x;

static void *run(void *arg) {
  struct element *own = arg;
  int value = atomic_load_explicit(&own->value, memory_order_relaxed);
  if (atomic_load_explicit(&chosen, memory_order_relaxed) == own)
    value = 5;
  atomic_exchange_explicit(&x, value, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t ids[2];
#ifdef PREPARED
  elements[0].value = 3;
  elements[1].value = 4;
#elif defined POINTED
  chosen = &elements[1];
#endif
  for (int i = 0; i < 2; i++)
    pthread_create(&ids[i], NULL, run, &elements[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(ids[i], NULL);
  assert(x != WRONG); // BUG
}
