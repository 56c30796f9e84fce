// SPDX-License-Identifier: MIT
// System calls that are not known fail as in a kernel that lacks them, and a
// warning says so: libraries have another way then.
// run: sc,rc11 ok 1
// run: args=--error=system-call sc,rc11 error system-call
#include "../common.h"
#include <errno.h>
#include <unistd.h>

enum { MEMBARRIER = 324, GETTID = 186 };

int main(void) {
  assert(syscall(GETTID) > 0);
  errno = 0;
  assert(syscall(MEMBARRIER, 0, 0) == -1 && errno == ENOSYS); // BUG
  return 0;
}
