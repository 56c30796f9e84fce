// SPDX-License-Identifier: MIT
// Types of POSIX, with the sizes of x86-64 Linux.
#pragma once

#include <stddef.h>

typedef long ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned uid_t;
typedef unsigned gid_t;
typedef unsigned mode_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
typedef long suseconds_t;
typedef unsigned useconds_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned u_int;
typedef unsigned long u_long;

#if defined __HEDDLE_HOST__ && __has_include_next(<sys/types.h>)
// What is missing here, as the host declares it.
#include_next <sys/types.h>
#endif
