// SPDX-License-Identifier: MIT
// Craig, Landin and Hagersten's queue lock: a thread waits on the node of its
// predecessor, which becomes its own for the next time. KEEP keeps the old node
// instead: its next holder waits for itself or overtakes.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DN=3 sc,tso,ra,rc11,imm,armv8 ok 6
// run: flags=-DROUNDS=2 sc,tso,ra,rc11,imm,armv8 ok 6
// run: flags=-DWAIT=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DGIVE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DROUNDS=2 flags=-DKEEP sc,tso,ra,rc11,imm,armv8 error hang
#include "../common.h"

#ifndef WAIT
#define WAIT acq
#endif
#ifndef GIVE
#define GIVE rel
#endif

struct node {
  atomic_bool must_wait;
};

static struct node nodes[9];
static _Atomic(struct node *) tail = &nodes[8];
static struct node *own[8] = {&nodes[0], &nodes[1], &nodes[2], &nodes[3]};
static struct node *before[8];

static void acquire(unsigned me) {
  store(&own[me]->must_wait, true, rlx);
  before[me] = swap(&tail, own[me], acqrel);
  while (load(&before[me]->must_wait, WAIT))
    continue;
}

static void release(unsigned me) {
  struct node *mine = own[me];
#ifndef KEEP
  own[me] = before[me];
#endif
  store(&mine->must_wait, false, GIVE);
}

#include "client.h"
