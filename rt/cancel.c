// SPDX-License-Identifier: MIT
// pthread_cancel, as far as it is deferred: a thread that was cancelled ends at
// its next cancellation point, or where it waits in one, after its cleanup
// handlers. Only programs that mention pthread_cancel pay for it.
//
// A wait that may also be ended by a cancellation waits for one of two words.
// The interpreter's waits are for one, so these are loops.
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "bytecode/pointer.h"
#include "sync.h"

enum { NOT_CANCELLED, CANCELLED, IN_JOIN };
static int __cancel_state[MAX_THREADS];
static _Thread_local int is_disabled;

void __heddle_unsupported_asynchronous_cancellation(void);
void __heddle_unsupported_cancelling_a_thread_that_waits_in_pthread_join(void);

static int *my_state(void) {
  return &__cancel_state[__heddle_self()];
}

int cancel_may_come(void) {
  return __heddle_mentions_pthread_cancel && !is_disabled;
}

int cancel_has_come(void) {
  return cancel_may_come() &&
         __atomic_load_n(my_state(), __ATOMIC_ACQUIRE) == CANCELLED;
}

_Noreturn void cancel_end(void) {
  is_disabled = 1;
  pthread_exit(PTHREAD_CANCELED);
  __builtin_unreachable();
}

int cancel_or_take(int *word, int is_timed) {
  if (!cancel_may_come()) {
    __heddle_take(word, 1, INT_MAX, -1, is_timed);
    return 1;
  }
  if (is_timed) { // neither has to come, so one can be chosen before
    int is_cancelled = (int)__heddle_choose(0, 1);
    if (is_cancelled)
      __heddle_take(my_state(), CANCELLED, CANCELLED, 0, is_timed);
    else
      __heddle_take(word, 1, INT_MAX, -1, is_timed);
    return !is_cancelled;
  }
  for (;;) {
    if (cancel_has_come())
      return 0;
    int now = __atomic_load_n(word, __ATOMIC_RELAXED);
    sync_check(now);
    if (now > 0 &&
        __atomic_compare_exchange_n(word, &now, now - 1, /*weak=*/0,
                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return 1;
  }
}

void cancel_begin_join(void) {
  if (cancel_may_come() &&
      __atomic_exchange_n(my_state(), IN_JOIN, __ATOMIC_ACQ_REL) == CANCELLED)
    cancel_end();
}

void cancel_end_join(void) {
  if (cancel_may_come())
    __atomic_store_n(my_state(), NOT_CANCELLED, __ATOMIC_RELAXED);
}

int pthread_cancel(pthread_t thread) {
  int before = __atomic_exchange_n(&__cancel_state[thread - 1], CANCELLED,
                                   __ATOMIC_ACQ_REL);
  if (before == IN_JOIN)
    __heddle_unsupported_cancelling_a_thread_that_waits_in_pthread_join();
  return 0;
}

void pthread_testcancel(void) {
  cancel_point();
}

int pthread_setcancelstate(int state, int *old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  if (old)
    *old = is_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  is_disabled = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (__heddle_mentions_pthread_cancel && type == PTHREAD_CANCEL_ASYNCHRONOUS)
    __heddle_unsupported_asynchronous_cancellation();
  if (old)
    *old = PTHREAD_CANCEL_DEFERRED;
  return 0;
}
