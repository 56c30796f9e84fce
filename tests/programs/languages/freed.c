// SPDX-License-Identifier: MIT
// Memory is given back by who reads the second store after a release store of
// the same flag: in order by C++11's release sequences, not by C++20's, and
// never if another thread's store comes between (BREAK).
// run: c11 ok 3; rc11,jam21 error free-race
// run: args=--release-sequences=cxx20 c11 error free-race
// run: args=--release-sequences=c11 c11,rc11,imm ok 3
// run: flags=-DBREAK c11,rc11 error free-race
#include "../common.h"

static atomic_int flag;
static int *object;

static void *writer(void *unused) {
  *object = 1; // BUG
  store(&flag, 1, rel);
  store(&flag, 2, rlx);
  return unused;
}

static void *reader(void *unused) {
  if (load(&flag, acq) == 2)
    free(object); // BUG
  return unused;
}

#ifdef BREAK
static void *breaker(void *unused) {
  store(&flag, 3, rlx);
  return unused;
}
#endif

int main(void) {
  object = malloc(sizeof *object);
  spawn(writer);
#ifdef BREAK
  spawn(breaker);
#endif
  spawn(reader);
  return 0;
}
