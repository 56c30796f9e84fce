// SPDX-License-Identifier: MIT
// <string.h> and <strings.h>, one character at a time. Copying and filling are
// instructions of the interpreter, which keeps the sizes of the cells that it
// copies.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "builtin.h"

// -- blocks of memory

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  return __builtin_memcpy(to, from, n);
}

void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
  return (char *)__builtin_memcpy(to, from, n) + n;
}

void *memmove(void *to, const void *from, size_t n) {
  return __builtin_memmove(to, from, n);
}

void *memset(void *to, int c, size_t n) {
  return __builtin_memset(to, c, n);
}

// How many of the `n` bytes at both addresses can be read by one access that
// fits the cells of shared memory: 8, 4, 2 or 1.
static size_t common_cell(const void *a, const void *b, size_t n) {
  size_t cell = __heddle_cell_size(a);
  if (cell == 0)
    cell = __heddle_cell_size(b);
  return cell <= n && (cell == 2 || cell == 4 || cell == 8) ? cell : 1;
}

// The first `size` bytes as a number whose order is that of memcmp.
static unsigned long read_cell(const void *p, size_t size) {
  switch (size) {
  case 8:
    return __builtin_bswap64(*(const unsigned long *)p);
  case 4:
    return __builtin_bswap32(*(const unsigned *)p);
  case 2:
    return __builtin_bswap16(*(const unsigned short *)p);
  default:
    return *(const unsigned char *)p;
  }
}

int memcmp(const void *a, const void *b, size_t n) {
  const char *p = a, *q = b;
  while (n > 0) {
    size_t cell = common_cell(p, q, n);
    unsigned long x = read_cell(p, cell), y = read_cell(q, cell);
    if (x != y)
      return x < y ? -1 : 1;
    p += cell;
    q += cell;
    n -= cell;
  }
  return 0;
}

void *memchr(const void *s, int c, size_t n) {
  const unsigned char *p = s;
  for (; n > 0; p++, n--)
    if (*p == (unsigned char)c)
      return (void *)p;
  return NULL;
}

void *memrchr(const void *s, int c, size_t n) {
  const unsigned char *p = s;
  while (n-- > 0)
    if (p[n] == (unsigned char)c)
      return (void *)(p + n);
  return NULL;
}

void *memmem(const void *s, size_t n, const void *part, size_t m) {
  for (const char *p = s; n >= m; p++, n--)
    if (memcmp(p, part, m) == 0)
      return (void *)p;
  return NULL;
}

// -- lengths and copies

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

size_t strnlen(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n])
    n++;
  return n;
}

static void refuse_if(int overlaps) {
  if (overlaps)
    __heddle_fail(FIND_BAD_ARGUMENT, "copy of a string to where it overlaps");
}

// Character i is about to be copied: does that read what the copy has written,
// or write what it has read?
static void refuse_overlap(const char *to, const char *from, size_t i) {
  refuse_if(i > 0 && (to + i == from || from + i == to));
}

char *stpcpy(char *restrict to, const char *restrict from) {
  size_t i = 0;
  for (;; i++) {
    refuse_overlap(to, from, i);
    if (!(to[i] = from[i]))
      return to + i;
  }
}

char *strcpy(char *restrict to, const char *restrict from) {
  stpcpy(to, from);
  return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) {
    refuse_overlap(to, from, i);
    to[i] = from[i];
  }
  char *end = to + i;
  for (; i < n; i++) { // nothing more is read
    refuse_if(i > 0 && to + i == from);
    to[i] = 0;
  }
  return end;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n) {
  stpncpy(to, from, n);
  return to;
}

void *memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
  char *target = to;
  const char *source = from;
  for (size_t i = 0; i < n; i++) {
    refuse_overlap(target, source, i);
    if ((target[i] = source[i]) == (char)c)
      return target + i + 1;
  }
  return NULL;
}

// What does not fit is left out; yields the length that would have been needed.
size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
  size_t i = 0;
  for (; i + 1 < size && from[i]; i++) {
    refuse_overlap(to, from, i);
    to[i] = from[i];
  }
  if (size > 0)
    to[i] = 0;
  return i + strlen(from + i);
}

size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
  size_t n = strnlen(to, size);
  return n + strlcpy(to + n, from, size - n);
}

char *strcat(char *restrict to, const char *restrict from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n) {
  char *end = to + strlen(to);
  size_t i = 0;
  for (; i < n && from[i]; i++) {
    refuse_overlap(end, from, i);
    end[i] = from[i];
  }
  refuse_if(i > 0 && end + i == from);
  end[i] = 0;
  return to;
}

char *strndup(const char *s, size_t n) {
  n = strnlen(s, n);
  char *copy = malloc(n + 1);
  for (size_t i = 0; i < n; i++)
    copy[i] = s[i];
  copy[n] = 0;
  return copy;
}

char *strdup(const char *s) {
  return strndup(s, (size_t)-1);
}

// -- comparing

int strncmp(const char *a, const char *b, size_t n) {
  for (; n > 0; a++, b++, n--) {
    unsigned char x = (unsigned char)*a, y = (unsigned char)*b;
    if (x != y)
      return x < y ? -1 : 1;
    if (x == 0)
      return 0;
  }
  return 0;
}

int strcmp(const char *a, const char *b) {
  return strncmp(a, b, (size_t)-1);
}

int strcoll(const char *a, const char *b) {
  return strcmp(a, b);
}

int strncasecmp(const char *a, const char *b, size_t n) {
  for (; n > 0; a++, b++, n--) {
    int x = tolower((unsigned char)*a), y = tolower((unsigned char)*b);
    if (x != y)
      return x < y ? -1 : 1;
    if (x == 0)
      return 0;
  }
  return 0;
}

char *strcasestr(const char *s, const char *part) {
  size_t n = strlen(part);
  for (; *s || !n; s++)
    if (strncasecmp(s, part, n) == 0)
      return (char *)s;
  return NULL;
}

void *rawmemchr(const void *s, int c) {
  const unsigned char *at = s;
  while (*at != (unsigned char)c)
    at++;
  return (void *)at;
}

int strcasecmp(const char *a, const char *b) {
  return strncasecmp(a, b, (size_t)-1);
}

// -- searching

char *strchrnul(const char *s, int c) {
  while (*s && *s != (char)c)
    s++;
  return (char *)s;
}

char *strchr(const char *s, int c) {
  char *p = strchrnul(s, c);
  return *p == (char)c ? p : NULL;
}

char *strrchr(const char *s, int c) {
  const char *last = NULL;
  do
    if (*s == (char)c)
      last = s;
  while (*s++);
  return (char *)last;
}

static int is_in(char c, const char *set) {
  while (*set && *set != c)
    set++;
  return *set == c && c != 0;
}

size_t strspn(const char *s, const char *accept) {
  size_t n = 0;
  while (is_in(s[n], accept))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *reject) {
  size_t n = 0;
  while (s[n] && !is_in(s[n], reject))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *accept) {
  s += strcspn(s, accept);
  return *s ? (char *)s : NULL;
}

char *strstr(const char *s, const char *part) {
  size_t n = strlen(part);
  for (;; s++) {
    if (strncmp(s, part, n) == 0)
      return (char *)s;
    if (!*s)
      return NULL;
  }
}

char *strsep(char **rest, const char *separators) {
  char *token = *rest;
  if (!token)
    return NULL;
  char *end = token + strcspn(token, separators);
  *rest = *end ? end + 1 : NULL;
  *end = 0;
  return token;
}

char *strtok_r(char *restrict s, const char *restrict separators,
               char **restrict rest) {
  char *token = s ? s : *rest;
  token += strspn(token, separators);
  if (!*token) {
    *rest = token;
    return NULL;
  }
  char *end = token + strcspn(token, separators);
  *rest = *end ? end + 1 : end;
  *end = 0;
  return token;
}

// One state for all threads, as in C: two threads that call it race.
char *strtok(char *restrict s, const char *restrict separators) {
  static char *rest;
  return strtok_r(s, separators, &rest);
}

// -- what is left

int bcmp(const void *a, const void *b, size_t n) {
  return memcmp(a, b, n);
}

void bcopy(const void *from, void *to, size_t n) {
  __builtin_memmove(to, from, n);
}

void bzero(void *to, size_t n) {
  __builtin_memset(to, 0, n);
}

void explicit_bzero(void *to, size_t n) {
  __builtin_memset(to, 0, n);
}

char *index(const char *s, int c) {
  return strchr(s, c);
}

char *rindex(const char *s, int c) {
  return strrchr(s, c);
}

int ffs(int n) {
  return n ? __builtin_ctz((unsigned)n) + 1 : 0;
}

int ffsl(long n) {
  return n ? __builtin_ctzl((unsigned long)n) + 1 : 0;
}

int ffsll(long long n) {
  return ffsl((long)n);
}
