// SPDX-License-Identifier: MIT
// pthread_once and call_once: 0 not yet, 1 somebody is at it, 2 done.
#include "sync.h"

enum { NOT_YET, BUSY, DONE };

// An exception has left `init`: the next one tries again.
static void give_up(int **undone) {
  if (*undone)
    __atomic_store_n(*undone, NOT_YET, __ATOMIC_RELEASE);
}

void once(int *flag, void (*init)(void)) {
  int seen;
  do
    seen = NOT_YET;
  while (!__atomic_compare_exchange_n(flag, &seen, BUSY, /*weak=*/0,
                                      __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE) &&
         seen == BUSY);
  if (seen == DONE)
    return;
  int *undone __attribute__((cleanup(give_up))) = flag;
  init();
  __atomic_store_n(flag, DONE, __ATOMIC_RELEASE);
  undone = 0;
}
