// SPDX-License-Identifier: MIT
// pthread_once and call_once: 0 not yet, 1 somebody is at it, 2 done.
#include <pthread.h>

#include "sync.h"

enum { NOT_YET, BUSY, DONE };

// An exception has left `init`, or the thread is cancelled in it: the next one
// tries again.
static void give_up(int **undone) {
  if (*undone)
    __atomic_store_n(*undone, NOT_YET, __ATOMIC_RELEASE);
}

static void is_cancelled(void *flag) {
  __atomic_store_n((int *)flag, NOT_YET, __ATOMIC_RELEASE);
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
  if (__heddle_mentions_pthread_cancel)
    __heddle_cleanup_push(is_cancelled, flag);
  init();
  if (__heddle_mentions_pthread_cancel)
    __heddle_cleanup_pop(/*execute=*/0);
  __atomic_store_n(flag, DONE, __ATOMIC_RELEASE);
  undone = 0;
}
