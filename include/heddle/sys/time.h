// SPDX-License-Identifier: MIT
// gettimeofday; see <time.h> for what time is here.
#pragma once

#include <heddle_cdefs.h>
#include <sys/types.h>

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};

__HEDDLE_BEGIN
int gettimeofday(struct timeval *__restrict ret, void *__restrict zone);
__HEDDLE_END
