// SPDX-License-Identifier: MIT
// A list that readers walk under RCU while an entry is replaced.
// run: lkmm ok
// run: flags=-DWEAK lkmm error race
// run: flags=-DNO_SYNC lkmm error free-race
#include <assert.h>
#include <linux/atomic.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <pthread.h>
#include <stdlib.h>

struct list_head {
  struct list_head *next, *prev;
};
struct foo {
  struct list_head list;
  int key, data;
};
#define container_of(p, T, m) ((T *)((char *)(p)-offsetof(T, m)))
static struct list_head head = {&head, &head};
static DEFINE_SPINLOCK(list_lock);

static void list_replace_rcu(struct list_head *old, struct list_head *new) {
  new->next = old->next;
  new->prev = old->prev;
#ifdef WEAK
  WRITE_ONCE(new->prev->next, new);
#else
  rcu_assign_pointer(new->prev->next, new);
#endif
  new->next->prev = new;
}
static void *reader(void *arg) {
  rcu_read_lock();
  for (struct list_head *p = rcu_dereference(head.next); p != &head;
       p = rcu_dereference(p->next)) {
    struct foo *f = container_of(p, struct foo, list);
    assert(f->data == f->key * 2);
  }
  rcu_read_unlock();
  return arg;
}
static void *updater(void *arg) {
  struct foo *old, *new = kmalloc(sizeof *new, GFP_KERNEL);
  new->key = 7;
  new->data = 14;
  spin_lock(&list_lock);
  old = container_of(head.next, struct foo, list);
  list_replace_rcu(&old->list, &new->list);
  spin_unlock(&list_lock);
#ifndef NO_SYNC
  synchronize_rcu();
#endif
  kfree(old);
  return arg;
}
int main(void) {
  pthread_t r, u;
  struct foo *f = kmalloc(sizeof *f, GFP_KERNEL);
  f->key = 1;
  f->data = 2;
  f->list.next = f->list.prev = &head;
  head.next = head.prev = &f->list;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&u, NULL, updater, NULL);
  pthread_join(r, NULL);
  pthread_join(u, NULL);
}
