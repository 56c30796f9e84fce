// SPDX-License-Identifier: MIT
// pthread_once and call_once: 0 not yet, 1 somebody is at it, 2 done.
#include "sync.h"

enum { NOT_YET, BUSY, DONE };

void once(int *flag, void (*init)(void)) {
  int seen;
  do
    seen = NOT_YET;
  while (!__atomic_compare_exchange_n(flag, &seen, BUSY, /*weak=*/0,
                                      __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE) &&
         seen == BUSY);
  if (seen == DONE)
    return;
  init();
  __atomic_store_n(flag, DONE, __ATOMIC_RELEASE);
}
