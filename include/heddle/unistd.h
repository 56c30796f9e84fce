// SPDX-License-Identifier: MIT
// The few functions of <unistd.h> that mean something here.
#pragma once

#include <heddle_cdefs.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

#ifndef __HEDDLE_HOST__ // whose numbers these are
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _SC_LEVEL1_DCACHE_LINESIZE 190
#endif

__HEDDLE_BEGIN
unsigned sleep(unsigned seconds);
int usleep(useconds_t microseconds);
pid_t getpid(void);
pid_t gettid(void);
int getpagesize(void);
long sysconf(int name);
__HEDDLE_NORETURN void _exit(int status);
__HEDDLE_END

#if defined __HEDDLE_HOST__ && __has_include_next(<unistd.h>)
// What is missing here, as the host declares it.
#include_next <unistd.h>
#endif
