// SPDX-License-Identifier: MIT
// Scheduling: all schedules are explored, so yielding does nothing.
#pragma once

#include <heddle_cdefs.h>

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2

struct sched_param {
  int sched_priority;
};

__HEDDLE_BEGIN
int sched_yield(void);
__HEDDLE_END
