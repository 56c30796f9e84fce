// SPDX-License-Identifier: MIT
// Strings and blocks of memory (C17 7.24, with the usual POSIX additions).
#pragma once

#include <heddle_cdefs.h>
#include <stddef.h>

__HEDDLE_BEGIN
void *memcpy(void *__restrict to, const void *__restrict from, size_t n);
void *mempcpy(void *__restrict to, const void *__restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *s, int c, size_t n);
void *memrchr(const void *s, int c, size_t n);
void *memmem(const void *s, size_t n, const void *part, size_t m);

size_t strlen(const char *s);
size_t strnlen(const char *s, size_t max);
char *strcpy(char *__restrict to, const char *__restrict from);
char *stpcpy(char *__restrict to, const char *__restrict from);
char *strncpy(char *__restrict to, const char *__restrict from, size_t n);
char *stpncpy(char *__restrict to, const char *__restrict from, size_t n);
void *memccpy(void *__restrict to, const void *__restrict from, int c,
              size_t n);
void explicit_bzero(void *to, size_t n);
char *strcat(char *__restrict to, const char *__restrict from);
char *strncat(char *__restrict to, const char *__restrict from, size_t n);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
int strcoll(const char *a, const char *b);
char *strchr(const char *s, int c);
char *strchrnul(const char *s, int c);
char *strrchr(const char *s, int c);
size_t strspn(const char *s, const char *accept);
size_t strcspn(const char *s, const char *reject);
char *strpbrk(const char *s, const char *accept);
char *strstr(const char *s, const char *part);
char *strtok(char *__restrict s, const char *__restrict separators);
char *strtok_r(char *__restrict s, const char *__restrict separators,
               char **__restrict rest);
char *strsep(char **rest, const char *separators);
char *strdup(const char *s);
char *strndup(const char *s, size_t n);
char *strerror(int error);
#if defined _GNU_SOURCE || defined __HEDDLE_RT__
char *strcasestr(const char *s, const char *part);
void *rawmemchr(const void *s, int c);
char *strerror_r(int error, char *to, size_t size);
#else
int strerror_r(int error, char *to, size_t size) __asm__("__xpg_strerror_r");
#endif
#if defined __HEDDLE_HOST__ || defined __HEDDLE_RT__
// Programs often have their own, so only for those that miss them.
size_t strlcpy(char *__restrict to, const char *__restrict from, size_t size);
size_t strlcat(char *__restrict to, const char *__restrict from, size_t size);
#endif

// Annex K: likewise.
#if (defined __STDC_WANT_LIB_EXT1__ && __STDC_WANT_LIB_EXT1__) ||              \
    defined __HEDDLE_HOST__ || defined __HEDDLE_RT__
typedef int errno_t;
typedef size_t rsize_t;
#define RSIZE_MAX (((size_t)-1) >> 1)
errno_t memcpy_s(void *to, rsize_t room, const void *from, rsize_t n);
errno_t memmove_s(void *to, rsize_t room, const void *from, rsize_t n);
errno_t memset_s(void *to, rsize_t room, int byte, rsize_t n);
errno_t strcpy_s(char *to, rsize_t room, const char *from);
errno_t strncpy_s(char *to, rsize_t room, const char *from, rsize_t n);
errno_t strcat_s(char *to, rsize_t room, const char *from);
errno_t strncat_s(char *to, rsize_t room, const char *from, rsize_t n);
size_t strnlen_s(const char *text, size_t most);
#endif
__HEDDLE_END

#if defined __HEDDLE_HOST__ && __has_include_next(<string.h>)
// What is missing here, as the host declares it.
#include_next <string.h>
#endif
