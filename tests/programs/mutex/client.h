// SPDX-License-Identifier: MIT
// N threads that use a lock once to protect a plain variable; the lock is
// what the including file defines as acquire() and release().
#pragma once

#include "../common.h"

static int shared;

static void *thread(void *number) {
  int me = (int)(uintptr_t)number;
  acquire();
  shared = me;
  int seen = shared;
  assert(seen == me);
  release();
  return NULL;
}

int main(void) {
  pthread_t ids[N];
  start(ids, N, thread);
  return 0;
}
