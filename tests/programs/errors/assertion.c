// SPDX-License-Identifier: MIT
// Ways to say that something must not happen.
// run: flags=-DFAIL=assert(x==1) sc,rc11 error assertion
// run: flags=-DFAIL=heddle_assert(x==1) sc,rc11 error assertion
// run: flags=-DFAIL=abort() sc,rc11 error abort
// run: flags=-DFAIL=heddle_unreachable() sc,rc11 error unreachable
// run: flags=-DFAIL=__builtin_unreachable() sc,rc11 error unreachable
// run: flags=-DFAIL=assert(x==0) sc,rc11 ok
// run: flags=-DFAIL=assert(x==1) flags=-DNDEBUG sc,rc11 ok
#include "../common.h"

static int x;

static void *thread(void *unused) {
  FAIL; // BUG
  return unused;
}

int main(void) {
  run(1, thread);
  return 0;
}
