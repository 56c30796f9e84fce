// SPDX-License-Identifier: MIT
// A release store that is made in pieces, since another thread stores to one of
// its bytes, is one store: under pso a later store overtakes it, so the other
// thread may see that one and yet store before it. The text of the model, read
// of pieces, has a barrier in front of each and orders the first before what
// follows; read of whole accesses it does not. Two values of `seen`, two orders
// of the stores to the word: all four, but where stores stay in order.
// expect: sc ok 3; tso ok 3; pso ok 4; ra ok 4; rc11 ok 4; armv8 ok 4
// run: args=--definition sc ok 3; tso ok 3; pso ok 4; ra ok 4; rc11 ok 4
// run: args=--definition armv8 ok 4
#include "../common.h"

static union {
  atomic_uchar byte[2];
  atomic_ushort both;
} u;
static atomic_int flag;
static int seen;

static void *releases(void *unused) {
  store(&u.both, 0x0101, rel);
  store(&flag, 1, rlx);
  return unused;
}

static void *looks(void *unused) {
  seen = load(&flag, rlx);
  store(&u.byte[0], 2, rlx);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, releases, NULL);
  pthread_create(&two, NULL, looks, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
