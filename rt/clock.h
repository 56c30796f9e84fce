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
// What the clocks of C++ say, in nanoseconds.
long long time_asked(void);
// Has the thread slept since it asked this last?
int time_slept(void);
// The result of a wait with a deadline, which may be ETIMEDOUT.
int time_over(int error, const struct timespec *end);
