// SPDX-License-Identifier: MIT
// Mellor-Crummey and Scott's queue lock: everyone waits on a flag of its own
// node and is woken by the one before. LINK is the order of the store that
// links a node behind its predecessor, SEE that of the load that finds it, WAIT
// and WAKE those of the flag.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok
// run: flags=-DN=3 sc,tso ok; ra,rc11,imm,armv8,c11,power,riscv ok 24
// run: flags=-DWAIT=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DWAKE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DLINK=rlx sc,tso ok; ra,rc11,imm error hang
// run: flags=-DSEE=rlx sc,tso,armv8 ok; ra,rc11,imm error hang
// run: flags=-DNO_WAIT sc,tso,armv8 error null-pointer; ra,rc11,imm error hang
#include "../common.h"

#ifndef LINK
#define LINK rel
#endif
#ifndef SEE
#define SEE acq
#endif
#ifndef WAIT
#define WAIT acq
#endif
#ifndef WAKE
#define WAKE rel
#endif

struct node {
  _Atomic(struct node *) next;
  atomic_bool must_wait;
};

static _Atomic(struct node *) tail;
static struct node nodes[8];

static void acquire(unsigned number) {
  struct node *me = &nodes[number];
  store(&me->next, NULL, rlx);
  store(&me->must_wait, true, rlx);
  struct node *before = swap(&tail, me, acqrel);
  if (!before)
    return;
  store(&before->next, me, LINK);
  while (load(&me->must_wait, WAIT))
    continue;
}

static void release(unsigned number) {
  struct node *me = &nodes[number];
  if (!load(&me->next, SEE)) {
    if (cas(&tail, me, NULL, rel, rlx))
      return;
#ifndef NO_WAIT
    while (!load(&me->next, SEE))
      continue;
#endif
  }
  store(&load(&me->next, rlx)->must_wait, false, WAKE);
}

#include "client.h"
