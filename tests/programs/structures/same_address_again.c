// SPDX-License-Identifier: MIT
// A node is published, taken away, filled and published again. A thread that
// saw it the first time may take it the second time and still find it empty:
// what orders its last load is the address, and that came from the first look.
// expect: rc11,imm,armv8 error assertion
// run: flags=-DTAKES=acq rc11,imm,armv8,power ok
#include "../common.h"

#ifndef TAKES
#define TAKES rlx
#endif

struct node {
  atomic_int data;
} node;
_Atomic(struct node *) top;
struct node *taken;
int found;

static void *publish(void *unused) {
  store(&top, &node, rel);
  store(&top, NULL, rel);
  store(&node.data, 1, rlx);
  store(&top, &node, rel);
  return unused;
}

static void *take(void *unused) {
  struct node *n, *expected;
  do
    expected = n = load(&top, rlx);
  while (!atomic_compare_exchange_strong_explicit(&top, &expected, NULL, TAKES,
                                                  rlx));
  taken = n;
  found = n ? load(&n->data, rlx) : 0;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, publish, NULL);
  pthread_create(&b, NULL, take, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (taken && load(&top, rlx) == NULL)
    assert(found == 1); // BUG
  return 0;
}
