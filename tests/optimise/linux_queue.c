// SPDX-License-Identifier: MIT
// The queue of Linux's queued spin lock, which is a lock by itself: each thread
// waits in a node of its own. Every update is fully ordered, and there is a
// full barrier wherever one could be needed.
#include <linux/atomic.h>
#include <pthread.h>

static struct node {
  struct node *next;
  int is_first;
} nodes[2], *tail;
static int shared;

static void lock(struct node *me) {
  me->is_first = 0;
  me->next = NULL;
  smp_mb();
  struct node *before = xchg(&tail, me);
  if (!before)
    return;
  smp_mb();
  WRITE_ONCE(before->next, me);
  while (!smp_load_acquire(&me->is_first))
    cpu_relax();
}

static void unlock(struct node *me) {
  struct node *next = smp_load_acquire(&me->next);
  if (!next) {
    if (cmpxchg(&tail, me, NULL) == me)
      return;
    while (!(next = smp_load_acquire(&me->next)))
      cpu_relax();
  }
  smp_store_release(&next->is_first, 1);
}

static void *thread(void *arg) {
  lock(arg);
  shared++;
  unlock(arg);
  return arg;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, thread, &nodes[1]);
  thread(&nodes[0]);
  pthread_join(id, NULL);
  BUG_ON(shared != 2);
}
