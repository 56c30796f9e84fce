// SPDX-License-Identifier: MIT
// A message is announced by the second store after a release store of the same
// flag. In C++11 it belongs to the release sequence, since C++20 it does not;
// with a store of another thread between the two (BREAK) it never does.
// run: c11 ok 3; rc11,jam21 error race
// run: args=--release-sequences=cxx20 c11 error race
// run: args=--release-sequences=c11 c11,rc11 ok 3
// run: flags=-DBREAK c11,rc11 error race
#include "../common.h"

static int message;
static atomic_int flag;

static void *writer(void *unused) {
  message = 1; // BUG
  store(&flag, 1, rel);
  store(&flag, 2, rlx);
  return unused;
}

#ifdef BREAK
static void *breaker(void *unused) {
  store(&flag, 3, rlx);
  return unused;
}
#endif

static void *reader(void *unused) {
  if (load(&flag, acq) == 2)
    assert(message == 1); // BUG
  return unused;
}

int main(void) {
  spawn(writer);
#ifdef BREAK
  spawn(breaker);
#endif
  spawn(reader);
  return 0;
}
