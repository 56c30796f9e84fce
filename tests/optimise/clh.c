// SPDX-License-Identifier: MIT
// A queue in which everyone waits at the node of the one before, and takes that
// node for the next time.
#include "client.h"

static struct node { atomic_int waits; } nodes[N + 1];
static _Atomic(struct node *) tail = &nodes[N];
static struct node *mine[N], *before[N];

static void lock(int me) {
  if (!mine[me])
    mine[me] = &nodes[me];
  atomic_store(&mine[me]->waits, 1);
  before[me] = atomic_exchange(&tail, mine[me]);
  while (atomic_load(&before[me]->waits))
    continue;
}

static void unlock(int me) {
  struct node *was = mine[me];
  mine[me] = before[me];
  atomic_store(&was->waits, 0);
}
