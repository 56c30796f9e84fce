// SPDX-License-Identifier: MIT
// _Float16 in memory that threads share: an update of an atomic one is one
// update, a race of plain ones is found.
// expect: sc,rc11,armv8 ok 2
// run: flags=-DRACE rc11 error race
#include "../common.h"

static _Atomic _Float16 sum;
static _Float16 plain;

static void *adds(void *number) {
  sum += (_Float16)((uintptr_t)number + 0.5);
#ifdef RACE
  plain += 1;
#endif
  return NULL;
}

int main(void) {
  run(2, adds);
  assert(sum == 2 && plain == 0);
  return 0;
}
