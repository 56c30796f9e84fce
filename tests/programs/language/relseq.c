// SPDX-License-Identifier: MIT
// A release sequence goes on with RMWs. That a plain store of the same thread
// continues it was C++11's rule; C++20 took it out.
// run: flags=-DCHAIN=fetch_add(&flag,1,rlx) sc,rc11 ok
// run: flags=-DCHAIN=store(&flag,2,rlx) rc11 error race
// run: args=--release-sequences args=c11 flags=-DCHAIN=store(&flag,2,rlx) rc11 ok
#include "../common.h"

static int data;
static atomic_int flag;

static void *writer(void *unused) {
  data = 1;
  store(&flag, 1, rel);
  CHAIN;
  return unused;
}

static void *reader(void *unused) {
  if (load(&flag, acq) == 2)
    assert(data == 1);
  return unused;
}

int main(void) {
  spawn(writer);
  spawn(reader);
  return 0;
}
