// SPDX-License-Identifier: MIT
// A list that is read under RCU while elements are added, replaced and removed
// under a lock. Added without rcu_assign_pointer, an element is seen before it
// is filled; freed at once, it is freed under a reader's feet.
// expect: lkmm ok
// run: flags=-DPLAIN_ADD lkmm error race
// run: flags=-DFREE_AT_ONCE lkmm error free-race
// run: flags=-DNO_SECTION lkmm error free-race
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <pthread.h>

struct route {
  int to, cost;
  struct list_head node;
  struct rcu_head rcu;
};

static LIST_HEAD(routes);
static DEFINE_SPINLOCK(lock);

static struct route *route(int to, int cost) {
  struct route *r = kmalloc(sizeof *r, GFP_KERNEL);
  r->to = to;
  r->cost = cost; // BUG
  return r;
}

static void forget(struct rcu_head *head) {
  kfree(container_of(head, struct route, rcu)); // BUG
}

static void add(struct route *r) {
  spin_lock(&lock);
#ifdef PLAIN_ADD
  list_add(&r->node, &routes); // BUG
#else
  list_add_rcu(&r->node, &routes);
#endif
  spin_unlock(&lock);
}

static void remove_first(void) {
  spin_lock(&lock);
  struct route *r = list_first_entry(&routes, struct route, node);
  list_del_rcu(&r->node);
  spin_unlock(&lock);
#ifdef FREE_AT_ONCE
  kfree(r); // BUG
#else
  call_rcu(&r->rcu, forget);
#endif
}

static void *reader(void *unused) {
  struct route *r;
#ifndef NO_SECTION
  rcu_read_lock();
#endif
  list_for_each_entry_rcu(r, &routes, node) // BUG
    assert(r->cost == 10 * r->to);          // BUG
#ifndef NO_SECTION
  rcu_read_unlock();
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  add(route(1, 10));
  pthread_create(&t, NULL, reader, NULL);
  add(route(2, 20));
  remove_first();
  pthread_join(t, NULL);
  struct route *r = list_first_entry_or_null(&routes, struct route, node);
  assert(r && r->to == 1 && list_is_singular(&routes));
  return 0;
}
