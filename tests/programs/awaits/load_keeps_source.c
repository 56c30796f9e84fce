// SPDX-License-Identifier: MIT
// Why a load before a compare-exchange must keep its source on machines where
// addresses order loads. Both read `&o`, but the load from the first store of
// it, and the compare-exchange from the second. The value of `data` is read by
// way of what the load has read, so it may be the old one; were it read by way
// of what the compare-exchange has read, which a release has written, it would
// be the new one. (In languages it may be old in any case.)
// run: armv8,riscv,power,armv7,imm,c11,rc11 error assertion
// run: flags=-DTAKE=acqrel rc11,imm,c11 ok 4; armv8,riscv,power,armv7 ok 5
#include "../common.h"

#ifndef TAKE
#define TAKE rel
#endif

struct node {
  struct node *next;
  atomic_int data;
};

static struct node n, o;
static _Atomic(struct node *) top;
static int seen;

static void *pushes(void *unused) {
  struct node *old = load(&top, rlx);
  do
    n.next = old;
  while (!atomic_compare_exchange_strong_explicit(&top, &old, &n, TAKE, rlx));
  if (n.next)
    seen = load(&n.next->data, rlx);
  return unused;
}

static void *stores_again(void *unused) {
  for (int i = 1; i <= 2; i++) {
    store(&o.data, i, rlx);
    store(&top, &o, rel);
  }
  return unused;
}

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, pushes, NULL);
  pthread_create(&ids[1], NULL, stores_again, NULL);
  join(ids, 2);
  assert(!(load(&top, rlx) == &n && seen == 1));
  return 0;
}
