// SPDX-License-Identifier: MIT
// Older string functions of POSIX.
#pragma once

#include <heddle_cdefs.h>
#include <stddef.h>

__HEDDLE_BEGIN
int bcmp(const void *a, const void *b, size_t n);
void bcopy(const void *from, void *to, size_t n);
void bzero(void *to, size_t n);
char *index(const char *s, int c);
char *rindex(const char *s, int c);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t n);
int ffs(int n);
int ffsl(long n);
int ffsll(long long n);
__HEDDLE_END

#if defined __HEDDLE_HOST__ && __has_include_next(<strings.h>)
// What is missing here, as the host declares it.
#include_next <strings.h>
#endif
