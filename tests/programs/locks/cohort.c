// SPDX-License-Identifier: MIT
// A cohort lock for two nodes of a machine: a ticket lock for each node and a
// global lock. The holder passes the global lock on inside its node when
// somebody waits there, at most PASSES times. Threads 0 and 1 live on node 0,
// the others on node 1. GREEDY keeps the global lock after the last one left.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok
// run: flags=-DN=3 sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DLOCAL=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DGLOBAL=rlx flags=-DN=3 ra,rc11,imm,armv8 error race
// run: flags=-DN=3 flags=-DGREEDY sc,tso,ra,rc11,imm,armv8 error hang
#include "../common.h"

#ifndef LOCAL
#define LOCAL rel
#endif
#ifndef GLOBAL
#define GLOBAL rel
#endif
#define PASSES 1

// What is plain here is only touched under the lock of the node.
struct node {
  atomic_uint next_ticket, shown;
  bool has_global;
  int passes;
};

static struct node nodes[2];
static atomic_bool global_lock;

static void acquire(unsigned me) {
  struct node *node = &nodes[me / 2];
  unsigned mine = fetch_add(&node->next_ticket, 1, rlx);
  while (load(&node->shown, acq) != mine)
    continue;
  if (node->has_global)
    return;
  while (swap(&global_lock, true, acq))
    continue;
  node->has_global = true;
}

static void release(unsigned me) {
  struct node *node = &nodes[me / 2];
  unsigned mine = load(&node->shown, rlx);
  bool is_alone = load(&node->next_ticket, rlx) == mine + 1;
#ifdef GREEDY
  is_alone = false;
#endif
  if (is_alone || node->passes == PASSES) {
    node->has_global = false;
    node->passes = 0;
    store(&global_lock, false, GLOBAL);
  } else {
    node->passes++;
  }
  store(&node->shown, mine + 1, LOCAL);
}

#include "client.h"
