// SPDX-License-Identifier: MIT
// Threads push nodes; a failure stores what it found into the node, and the
// next try expects what is there (as in the example of C's reference). The node
// before is in the middle of another structure, so its link has an offset.
// run: flags=-DN=2 rc11,imm,armv8,c11,power,riscv ok 2
// run: flags=-DN=3 rc11,imm,armv8,c11 ok 6
// run: flags=-DN=3 flags=-DSTRONG rc11,imm,armv8,power ok 6
#include "../common.h"

struct node {
  int value;
  struct node *next;
};

_Atomic(struct node *) top;
struct node nodes[N];

#ifdef STRONG
#define try atomic_compare_exchange_strong_explicit
#else
#define try atomic_compare_exchange_weak_explicit
#endif

static void *push(void *number) {
  struct node *n = &nodes[(uintptr_t)number];
  n->value = 1;
  n->next = load(&top, rlx);
  while (!try(&top, &n->next, n, rel, rlx)) {
  }
  return NULL;
}

int main(void) {
  run(N, push);
  return 0;
}
