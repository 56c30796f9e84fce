// SPDX-License-Identifier: MIT
// A queue of waiting threads, each with a flag of its own.
#include "client.h"

static struct node {
  _Atomic(struct node *) next;
  atomic_int waits;
} nodes[N];
static _Atomic(struct node *) tail;

static void lock(int me) {
  struct node *mine = &nodes[me];
  atomic_store(&mine->waits, 1);
  atomic_store(&mine->next, (struct node *)0);
  struct node *before = atomic_exchange(&tail, mine);
  if (!before)
    return;
  atomic_store(&before->next, mine);
  while (atomic_load(&mine->waits))
    continue;
}

static void unlock(int me) {
  struct node *mine = &nodes[me], *expected = mine;
  if (!atomic_load(&mine->next)) {
    if (atomic_compare_exchange_strong(&tail, &expected, (struct node *)0))
      return;
    while (!atomic_load(&mine->next))
      continue;
  }
  atomic_store(&atomic_load(&mine->next)->waits, 0);
}
