// SPDX-License-Identifier: MIT
// pthread_exit in programs with exceptions: the thread leaves its functions as
// if it threw an object, and ends where nothing is left to land at. Only
// programs that can do so have these functions (src/front/lower/reach.c).
#include "cxx.h"
#include "sync.h"

static long thrown; // nobody looks into it
static _Thread_local void *exit_result;

void exception_force(void *result) {
  exit_result = result;
  exception_raise(&thrown, &_ZTIN10__cxxabiv115__forced_unwindE);
}

void exception_unwound(void) {
  end_thread(exit_result, /*is_early=*/1);
}
