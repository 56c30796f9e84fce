// SPDX-License-Identifier: MIT
// N threads take a lock ROUNDS times each and count in a plain variable: a lock
// that does not exclude loses an update, one that does not order its critical
// sections has a race, and one that forgets a waiter hangs. The lock is what
// the including file defines as acquire() and release(); both take the number
// of the calling thread.
#pragma once

#include "../common.h"

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static int counter;

static void *thread(void *number) {
  unsigned me = (unsigned)(uintptr_t)number;
  for (int i = 0; i < ROUNDS; i++) {
    acquire(me);
    counter++;
    release(me);
  }
  return NULL;
}

int main(void) {
  run(N, thread);
  assert(counter == N * ROUNDS);
  return 0;
}
