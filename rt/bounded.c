// SPDX-License-Identifier: MIT
// The functions of C17's annex K that check bounds. A violated constraint is
// answered by an error number, and the target is emptied as the annex says.
#include <errno.h>
#include <string.h>

static int overlaps(const void *a, size_t n, const void *b, size_t m) {
  const char *x = a, *y = b; // as numbers they would count as given away
  return x < y + m && y < x + n;
}

errno_t memcpy_s(void *to, rsize_t room, const void *from, rsize_t n) {
  if (!to || room > RSIZE_MAX)
    return EINVAL;
  if (!from || n > room || overlaps(to, n, from, n)) {
    memset(to, 0, room);
    return !from ? EINVAL : n > room ? ERANGE : EINVAL;
  }
  memcpy(to, from, n);
  return 0;
}

errno_t memmove_s(void *to, rsize_t room, const void *from, rsize_t n) {
  if (!to || room > RSIZE_MAX)
    return EINVAL;
  if (!from || n > room) {
    memset(to, 0, room);
    return from ? ERANGE : EINVAL;
  }
  memmove(to, from, n);
  return 0;
}

errno_t memset_s(void *to, rsize_t room, int byte, rsize_t n) {
  if (!to || room > RSIZE_MAX)
    return EINVAL;
  memset(to, byte, n > room ? room : n);
  return n > room ? ERANGE : 0;
}

size_t strnlen_s(const char *text, size_t most) {
  return text ? strnlen(text, most) : 0;
}

// Appends at most `most` characters of `from` to the first `len` of `to`.
static errno_t append(char *to, rsize_t room, size_t len, const char *from,
                      size_t most) {
  if (!to || room == 0 || room > RSIZE_MAX)
    return EINVAL;
  size_t n = from ? strnlen(from, most) : 0;
  if (!from || len >= room || n >= room - len) {
    to[0] = 0;
    return from ? ERANGE : EINVAL;
  }
  memcpy(to + len, from, n);
  to[len + n] = 0;
  return 0;
}

errno_t strcpy_s(char *to, rsize_t room, const char *from) {
  return append(to, room, 0, from, RSIZE_MAX);
}

errno_t strncpy_s(char *to, rsize_t room, const char *from, rsize_t n) {
  return append(to, room, 0, from, n);
}

errno_t strcat_s(char *to, rsize_t room, const char *from) {
  return append(to, room, to ? strnlen(to, room) : 0, from, RSIZE_MAX);
}

errno_t strncat_s(char *to, rsize_t room, const char *from, rsize_t n) {
  return append(to, room, to ? strnlen(to, room) : 0, from, n);
}
