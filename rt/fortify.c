// SPDX-License-Identifier: MIT
// What the functions of <string.h> and <stdio.h> become under _FORTIFY_SOURCE:
// they are told how much room there is at the target.
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "builtin.h"

static void check_room(size_t n, size_t room) {
  if (n > room)
    __heddle_fail(FIND_OUT_OF_BOUNDS, "a buffer is too small for what a "
                                      "function of the library writes");
}

#define BLOCK(name, ...)                                                       \
  void *__##name##_chk(void *to, __VA_ARGS__, size_t n, size_t room);          \
  void *__##name##_chk(void *to, __VA_ARGS__, size_t n, size_t room) {         \
    check_room(n, room);                                                       \
    return name(to, from, n);                                                  \
  }
BLOCK(memcpy, const void *from)
BLOCK(mempcpy, const void *from)
BLOCK(memmove, const void *from)
BLOCK(memset, int from)

// `before`: what is in the target already and stays.
#define STRING(name, before)                                                   \
  char *__##name##_chk(char *to, const char *from, size_t room);               \
  char *__##name##_chk(char *to, const char *from, size_t room) {              \
    check_room((before) + strlen(from) + 1, room);                             \
    return name(to, from);                                                     \
  }
STRING(strcpy, 0)
STRING(stpcpy, 0)
STRING(strcat, strlen(to))

#define BOUNDED(name, needed)                                                  \
  char *__##name##_chk(char *to, const char *from, size_t n, size_t room);     \
  char *__##name##_chk(char *to, const char *from, size_t n, size_t room) {    \
    check_room(needed, room);                                                  \
    return name(to, from, n);                                                  \
  }
BOUNDED(strncpy, n)
BOUNDED(stpncpy, n)
BOUNDED(strncat, strlen(to) + strnlen(from, n) + 1)

// -- the flag says how strict printf should be about %n

int __vsnprintf_chk(char *to, size_t n, int flag, size_t room,
                    const char *format, va_list list);
int __vsprintf_chk(char *to, int flag, size_t room, const char *format,
                   va_list list);
int __vprintf_chk(int flag, const char *format, va_list list);
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list list);
int __snprintf_chk(char *to, size_t n, int flag, size_t room,
                   const char *format, ...);
int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...);
int __printf_chk(int flag, const char *format, ...);
int __fprintf_chk(FILE *file, int flag, const char *format, ...);

int __vsnprintf_chk(char *to, size_t n, int flag, size_t room,
                    const char *format, va_list list) {
  (void)flag;
  check_room(n, room);
  return vsnprintf(to, n, format, list);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format,
                   va_list list) {
  (void)flag;
  int n = vsnprintf(to, room < INT_MAX ? room : INT_MAX, format, list);
  check_room((size_t)n + 1, room);
  return n;
}

int __vprintf_chk(int flag, const char *format, va_list list) {
  (void)flag;
  return vprintf(format, list);
}

int __vfprintf_chk(FILE *file, int flag, const char *format, va_list list) {
  (void)flag;
  return vfprintf(file, format, list);
}

#define FORWARD(call)                                                          \
  va_list list;                                                                \
  va_start(list, format);                                                      \
  int n_written = call;                                                        \
  va_end(list);                                                                \
  return n_written

int __snprintf_chk(char *to, size_t n, int flag, size_t room,
                   const char *format, ...) {
  FORWARD(__vsnprintf_chk(to, n, flag, room, format, list));
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
  FORWARD(__vsprintf_chk(to, flag, room, format, list));
}

int __printf_chk(int flag, const char *format, ...) {
  FORWARD(__vprintf_chk(flag, format, list));
}

int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
  FORWARD(__vfprintf_chk(file, flag, format, list));
}
