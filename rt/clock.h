// SPDX-License-Identifier: MIT
// The clock of the thread that runs (clock.c): what moves it.
#pragma once

#include <time.h>

#include "private.h"

void time_passes(long long seconds, long long nanoseconds);
// (So that nothing is computed where no clock is asked.)
void time_passes_us(unsigned microseconds);
void time_passes_for(const struct timespec *duration);
void time_passes_until(const struct timespec *end);
// The thread creates another.
void time_has_company(void);
// What the clocks of C++ say, in nanoseconds; and what the clock of the thread
// stands at, without a look.
long long time_asked(void);
long long time_stood(void);
// Has the thread slept since it asked this last?
int time_slept(void);
// The result of a wait with a deadline, which may be ETIMEDOUT.
int time_over(int error, const struct timespec *end);
