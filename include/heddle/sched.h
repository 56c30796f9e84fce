// SPDX-License-Identifier: MIT
// Scheduling: all schedules are explored, so yielding does nothing.
#pragma once

#include <heddle_cdefs.h>

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2

#ifndef _BITS_TYPES_STRUCT_SCHED_PARAM // as glibc guards it
#define _BITS_TYPES_STRUCT_SCHED_PARAM 1
struct sched_param {
  int sched_priority;
};
#endif

__HEDDLE_BEGIN
int sched_yield(void);
int sched_getcpu(void);
__HEDDLE_END

#if defined __HEDDLE_HOST__ && __has_include_next(<sched.h>)
// What is missing here, as the host declares it.
#include_next <sched.h>
#endif
