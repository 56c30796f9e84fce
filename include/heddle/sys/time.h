// SPDX-License-Identifier: MIT
// gettimeofday; see <time.h> for what time is here.
#pragma once

#include <heddle_cdefs.h>
#include <sys/types.h>

#ifndef __timeval_defined // as glibc guards it
#define __timeval_defined 1
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
#endif

__HEDDLE_BEGIN
int gettimeofday(struct timeval *__restrict ret, void *__restrict zone);
__HEDDLE_END

#if defined __HEDDLE_HOST__ && __has_include_next(<sys/time.h>)
// What is missing here, as the host declares it.
#include_next <sys/time.h>
#endif
