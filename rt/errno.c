// SPDX-License-Identifier: MIT
// glibc's <errno.h> calls this. It is alone in its file, because a program that
// does not call it keeps errno in private memory.
#include <errno.h>

int *__errno_location(void);
int *__errno_location(void) {
  return &errno;
}
