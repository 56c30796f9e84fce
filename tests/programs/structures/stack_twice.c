// SPDX-License-Identifier: MIT
// Treiber's stack: N threads push a node and pop one. Failed rounds are left
// out under imm and c11 as under rc11; on machines the load and the
// compare-exchange of a push may read different stores of one pointer
// (awaits/load_keeps_source.c).
// run: flags=-DN=2 rc11,imm,c11 ok 8; armv8,power,riscv ok 10
// run: flags=-DN=3 rc11,imm,c11 ok 162; armv8,power ok 270
#include "../common.h"

struct node {
  int value;
  struct node *next;
};

static _Atomic(struct node *) top;
static struct node nodes[N];

static void push(struct node *n) {
  struct node *old = load(&top, rlx);
  do
    n->next = old;
  while (!atomic_compare_exchange_strong_explicit(&top, &old, n, rel, rlx));
}

static void pop(void) {
  struct node *old = load(&top, acq);
  while (old && !atomic_compare_exchange_strong_explicit(&top, &old, old->next,
                                                         acq, acq)) {
  }
}

static void *thread(void *number) {
  struct node *n = &nodes[(uintptr_t)number];
  n->value = 1;
  push(n);
  pop();
  return NULL;
}

int main(void) {
  run(N, thread);
  return 0;
}
