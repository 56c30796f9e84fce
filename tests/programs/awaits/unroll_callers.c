// SPDX-License-Identifier: MIT
// --unroll counts the rounds of a loop whose events are all in functions that
// it calls, and a copy of several bytes is one round, not several.
// args: --unroll 2
// run: sc,rc11,imm incomplete 3
// run: flags=-DWRONG sc,rc11 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_uint ready, looked;
static char bytes[4];

// It has memory of its own, so it stays a function.
static unsigned look(void) {
  char copy[4];
  unsigned is_ready = atomic_load(&ready);
  atomic_store(&looked, 0); // leaves a trace
  if (is_ready) {
    memcpy(copy, bytes, is_ready * sizeof copy); // as one instruction
#ifdef WRONG
    assert(copy[is_ready] == 3); // BUG
#else
    assert(copy[is_ready] == 2);
#endif
  }
  return is_ready;
}

static void *reader(void *arg) {
  while (!look())
    ;
  return arg;
}

int main(void) {
  pthread_t t;
  bytes[0] = 1; // as bytes, and so they are copied
  bytes[1] = 2;
  bytes[2] = 3;
  bytes[3] = 4;
  pthread_create(&t, NULL, reader, NULL);
  assert(atomic_load(&looked) == 0);
  atomic_store(&ready, 1);
  pthread_join(t, NULL);
  return 0;
}
