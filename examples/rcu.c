// SPDX-License-Identifier: MIT
// Read, copy, update: readers mark that they read, and a writer frees the old
// version when everybody who may have it has gone.
//
// A reader's mark is odd while it reads. To wait for a grace period, a writer
// looks at each mark once: if it is even, or changes, that reader cannot have
// the old version any more. The fences make sure that a reader whose mark the
// writer did not see will see the new version.
//
// With -DWRONG=1 nobody waits for the readers. With -DWRONG=2 the reader has no
// fence between its mark and its read.
//
// expect: sc ok; tso ok; rc11 ok
// run: flags=-DWRONG=1 sc error free-race; rc11 error free-race
// run: flags=-DWRONG=2 sc ok; tso error free-race; rc11 error free-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef WRONG
#define WRONG 0
#endif

enum { READERS = 2 };

atomic_uint marks[READERS];
_Atomic(int *) shared;

void read_begin(int me) {
  unsigned mark = atomic_load_explicit(&marks[me], memory_order_relaxed);
  atomic_store_explicit(&marks[me], mark + 1, memory_order_relaxed);
  if (WRONG != 2)
    atomic_thread_fence(memory_order_seq_cst);
}

void read_end(int me) {
  unsigned mark = atomic_load_explicit(&marks[me], memory_order_relaxed);
  atomic_store_explicit(&marks[me], mark + 1, memory_order_release);
}

void wait_for_readers(void) {
  atomic_thread_fence(memory_order_seq_cst);
  for (int i = 0; i < READERS; i++) {
    unsigned mark = atomic_load_explicit(&marks[i], memory_order_acquire);
    while (mark % 2 == 1 &&
           atomic_load_explicit(&marks[i], memory_order_acquire) == mark)
      continue;
  }
}

int *new_version(int value) {
  int *p = malloc(sizeof *p);
  *p = value;
  return p;
}

void *reader(void *number) {
  int me = (int)(long)number;
  read_begin(me);
  int *p = atomic_load_explicit(&shared, memory_order_acquire);
  assert(*p == 1 || *p == 2);
  read_end(me);
  return NULL;
}

int main(void) {
  pthread_t t[READERS];
  int *old = new_version(1);
  atomic_init(&shared, old);
  for (long i = 0; i < READERS; i++)
    pthread_create(&t[i], NULL, reader, (void *)i);
  atomic_store_explicit(&shared, new_version(2), memory_order_release);
  if (WRONG != 1)
    wait_for_readers();
  free(old);
  for (int i = 0; i < READERS; i++)
    pthread_join(t[i], NULL);
  free(atomic_load(&shared));
}
