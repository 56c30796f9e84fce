// SPDX-License-Identifier: MIT
// Why a load right before an update that acquires and releases must keep its
// source on machines where a write reaches one thread before another. Both find
// the word free, but the load as it was at first, and the update when it was
// free again. The barrier of the release stands between the two. Had the load
// seen the second write, the barrier would bring it to all who know of the
// update; what the update reads behind the barrier it does not.
// run: armv7,power,rc11,imm,c11 error assertion
// run: sc,tso,armv8,riscv ok 78
// run: args=--without=retry armv7,power,rc11,imm,c11 error assertion
// run: flags=-DTAKE=sc armv7,power error assertion
#include "../common.h"

#ifndef TAKE
#define TAKE acqrel
#endif

static atomic_int word, known;
static int seen, old = -1;

static void *takes(void *unused) {
  while (load(&word, rlx)) {
  }
  swap(&word, 1, TAKE);
  return unused;
}

static void *frees_again(void *unused) {
  store(&word, 2, rlx);
  store(&word, 0, rlx);
  return unused;
}

static void *passes_on(void *unused) {
  store(&known, load(&word, rlx), rlx);
  return unused;
}

static void *looks(void *unused) {
  seen = load(&known, acq);
  old = load(&word, rlx);
  return unused;
}

int main(void) {
  pthread_t ids[4];
  pthread_create(&ids[0], NULL, takes, NULL);
  pthread_create(&ids[1], NULL, frees_again, NULL);
  pthread_create(&ids[2], NULL, passes_on, NULL);
  pthread_create(&ids[3], NULL, looks, NULL);
  join(ids, 4);
  assert(!(seen == 1 && old == 2 && load(&word, rlx) == 1));
  return 0;
}
