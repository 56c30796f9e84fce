// SPDX-License-Identifier: MIT
// Error numbers, with Linux' values. errno is one variable a thread.
#pragma once

#include <heddle_cdefs.h>

__HEDDLE_BEGIN
extern __thread int __heddle_errno;
__HEDDLE_END
#define errno __heddle_errno

#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define E2BIG 7
#define EBADF 9
#define ECHILD 10
#define EAGAIN 11
#define EWOULDBLOCK EAGAIN
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define ENOSPC 28
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define EDEADLK 35
#define ENAMETOOLONG 36
#define ENOSYS 38
#define EILSEQ 84
#define EOVERFLOW 75
#define ENOTSUP 95
#define EOPNOTSUPP ENOTSUP
#define ETIMEDOUT 110
#define ECANCELED 125
#define EOWNERDEAD 130
#define ENOTRECOVERABLE 131

#if defined __HEDDLE_HOST__ && __has_include_next(<errno.h>)
// What is missing here, as the host declares it.
#include_next <errno.h>
#undef errno
#define errno __heddle_errno
#endif
