// SPDX-License-Identifier: MIT
// Callbacks of RCU in programs that wait for them (rcu_barrier): each draws a
// number and says when it is done. Others have no use for that, and call_rcu of
// kernel.c makes no events for it (front/module.c chooses).
//
// Whoever waits does so for the callbacks that were queued before, whoever did
// that. A callback that queues another one has drawn a smaller number, so that
// one may come too late to be waited for, as in the kernel. Memory that
// kfree_rcu gives back is not waited for either.
#define __HEDDLE_LKMM_RT__
#include <lkmm.h>

#include "builtin.h"
#include "clock.h"

enum { MOST = 64 }; // threads, and so callbacks

static struct callback {
  struct rcu_head *head;
  int is_done;
} callbacks[MOST];
static atomic_t queued;

static void *call_later(void *p) {
  struct callback *c = p;
  struct rcu_head *head = c->head;
  synchronize_rcu();
  head->func(head);
  smp_store_release(&c->is_done, 1);
  return 0;
}

void __heddle_call_rcu_numbered(struct rcu_head *head, rcu_callback_t func) {
  int number = atomic_fetch_inc_relaxed(&queued);
  if (number >= MOST)
    __heddle_limit("more callbacks than threads");
  struct callback *c = &callbacks[number];
  head->func = func;
  c->head = head;
  time_has_company();
  __heddle_detach(__heddle_spawn(call_later, c));
}

void rcu_barrier(void) {
  smp_mb();
  int n = atomic_read(&queued);
  for (int i = 0; i < n; i++)
    __heddle_take(&callbacks[i].is_done, 1, 1, 0, /*is_timed=*/0);
  smp_mb();
}
