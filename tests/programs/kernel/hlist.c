// SPDX-License-Identifier: MIT
// A bucket of a hash table: two threads add to it under a bit lock, a third one
// looks for a key under RCU.
// expect: lkmm incomplete
// run: flags=-DNO_LOCK lkmm error race
#include <linux/bit_spinlock.h>
#include <linux/kernel.h>
#include <linux/rculist.h>
#include <pthread.h>

struct item {
  int key, value;
  struct hlist_node node;
};

static HLIST_HEAD(bucket);
static unsigned long lock;
static struct item items[2] = {{.key = 1, .value = 11}, {.key = 2, .value = 22}};

static void *adds(void *p) {
  struct item *i = p;
#ifndef NO_LOCK
  bit_spin_lock(0, &lock);
#endif
  hlist_add_head_rcu(&i->node, &bucket); // BUG
#ifndef NO_LOCK
  bit_spin_unlock(0, &lock);
#endif
  return NULL;
}

int main(void) {
  pthread_t t[2];
  struct item *i;
  int found = 0;
  pthread_create(&t[0], NULL, adds, &items[0]);
  pthread_create(&t[1], NULL, adds, &items[1]);
  rcu_read_lock();
  hlist_for_each_entry_rcu(i, &bucket, node) assert(i->value == 11 * i->key);
  rcu_read_unlock();
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  hlist_for_each_entry(i, &bucket, node) found += i->key;
  assert(found == 3);
  return 0;
}
