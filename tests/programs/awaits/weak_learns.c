// SPDX-License-Identifier: MIT
// A weak compare-exchange that fails although it finds what it expects is not
// only tried again: the thread learns from it what another one has written, to
// a variable or to an object that it has told where to find.
// run: sc,tso,rc11,imm,armv8 error assertion
// run: flags=-DPUBLISHED sc,tso,rc11,imm,armv8 error assertion
// run: flags=-DPASSED sc,tso,rc11,imm,armv8 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready, word;
static int variable, *published;

static void *write_data(void *data) {
  while (!atomic_load_explicit(&ready, memory_order_acquire))
    ;
  if (!data)
    data = published ? published : &variable;
  *(int *)data = 5;
  atomic_store_explicit(&word, 7, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t id;
  int expected = 7, before, *data = malloc(sizeof *data);
#ifdef PASSED
  void *argument = data;
#elif defined PUBLISHED
  void *argument = NULL;
  published = data;
#else
  free(data);
  data = &variable;
  void *argument = NULL;
#endif
  *data = 1;
  pthread_create(&id, NULL, write_data, argument);
  before = *data;
  atomic_store_explicit(&ready, before, memory_order_release);
  while (!atomic_compare_exchange_weak_explicit(
      &word, &expected, 8, memory_order_acquire, memory_order_acquire)) {
    if (expected != 7)
      break;                 // it is too early
    assert(*data == before); // BUG
  }
  pthread_join(id, NULL);
}
