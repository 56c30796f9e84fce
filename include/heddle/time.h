// SPDX-License-Identifier: MIT
// Time. Every clock begins at one second, and moves where its thread sleeps or
// gives up waiting, and by a day between two looks, or not (rt/clock.c).
// Sleeping also lets the others run, which the checker explores anyway.
#pragma once

#include <heddle_cdefs.h>
#include <sys/types.h>

#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define TIME_UTC 1

#ifndef _STRUCT_TIMESPEC // as glibc guards it
#define _STRUCT_TIMESPEC 1
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
#endif

__HEDDLE_BEGIN
time_t time(time_t *ret);
clock_t clock(void);
double difftime(time_t end, time_t begin);
int timespec_get(struct timespec *ret, int base);
int clock_gettime(clockid_t clock, struct timespec *ret);
int nanosleep(const struct timespec *duration, struct timespec *left);
__HEDDLE_END

#if defined __HEDDLE_HOST__ && __has_include_next(<time.h>)
// What is missing here, as the host declares it.
#include_next <time.h>
#endif
