// SPDX-License-Identifier: MIT
// Threads give nodes back to a list whose links have tags beside the addresses:
// each try reads the old tag of its node before it links it (as Boost's free
// list does). A weak compare-exchange may fail as often as it likes; the second
// time it changes nothing.
// run: rc11,ra,sc,tso ok
// run: imm,armv8,c11 ok
// run: power incomplete
// run: args=--weak-cas=strong rc11 ok 4
// run: args=--without=own-rounds args=--max-events=1000 rc11 incomplete
#include "../common.h"

enum { BITS = 48 };

struct node {
  uintptr_t next;
};

static atomic_uintptr_t list;
static struct node nodes[2];

static void *give(void *number) {
  struct node *n = &nodes[(uintptr_t)number];
  uintptr_t old = load(&list, rlx), mask = ((uintptr_t)1 << BITS) - 1;
  do {
    uintptr_t tag = n->next >> BITS;
    n->next = (old & mask) | tag << BITS;
  } while (!atomic_compare_exchange_weak(
      &list, &old, (uintptr_t)n | (old >> BITS) << BITS));
  return NULL;
}

int main(void) {
  run(2, give);
  struct node *top = (struct node *)load(&list, rlx);
  assert(top == &nodes[0] || top == &nodes[1]);
  assert(top->next == (uintptr_t)&nodes[top == nodes]);
  return 0;
}
