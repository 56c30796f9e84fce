// SPDX-License-Identifier: MIT
// Names only: there are no signals in the checked program.
#pragma once

typedef int sig_atomic_t;

#define SIGINT 2
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGSEGV 11
#define SIGTERM 15

#if defined __HEDDLE_HOST__ && __has_include_next(<signal.h>)
// What is missing here, as the host declares it.
#include_next <signal.h>
#endif
