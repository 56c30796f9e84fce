// SPDX-License-Identifier: MIT
// Threads hand each other nodes by relaxed accesses and free them. What is in a
// node may be uninitialised, or 0 by a write that comes after the load.
// run: args=--all-errors args=--disable=race riscv,power,armv7,lkmm,imm,armv8 error alloc-race
// run: args=--disable=race,uninitialized-atomic,free-race,alloc-race,use-after-free riscv,power,armv7,imm,armv8 ok
// run: args=--disable=race,uninitialized-atomic,free-race,alloc-race,use-after-free lkmm incomplete
#include "../common.h"

struct node {
  atomic_int value;
};
static _Atomic(struct node *) shared, spare;
static atomic_int seen;

static int look(void) {
  struct node *n = load(&shared, rlx);
  return n ? load(&n->value, rlx) : 0; // BUG
}

static void *copies(void *unused) {
  int r = look();
  struct node *n = malloc(sizeof *n);
  store(&n->value, r, rlx); // BUG
  store(&shared, n, rlx);
  store(&spare, n, rlx);
  return unused;
}

static void *frees(void *unused) {
  int r = look();
  (void)load(&spare, rlx);
  store(&seen, r, rlx);
  struct node *n = malloc(sizeof *n);
  store(&shared, n, rlx);
  store(&n->value, 0, rlx); // BUG
  free(n);                  // BUG
  return unused;
}

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, copies, NULL);
  pthread_create(&ids[1], NULL, frees, NULL);
  return 0;
}
