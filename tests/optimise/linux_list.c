// SPDX-License-Identifier: MIT
// A list that is read under RCU and changed under a lock. There is a full
// barrier wherever one could be needed.
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <pthread.h>

struct node {
  int key, value;
  struct node *next;
};
static struct node *head;
static DEFINE_SPINLOCK(list_lock);

static void insert(int key) {
  struct node *fresh = kmalloc(sizeof *fresh, GFP_KERNEL);
  fresh->key = key;
  fresh->value = 10 * key;
  spin_lock(&list_lock);
  fresh->next = READ_ONCE(head);
  smp_mb();
  WRITE_ONCE(head, fresh);
  spin_unlock(&list_lock);
}

static void erase(int key) {
  spin_lock(&list_lock);
  struct node *old = READ_ONCE(head);
  if (!old || old->key != key) {
    spin_unlock(&list_lock);
    return;
  }
  smp_mb();
  WRITE_ONCE(head, old->next);
  spin_unlock(&list_lock);
  synchronize_rcu();
  kfree(old);
}

static void *reader(void *unused) {
  rcu_read_lock();
  struct node *seen = smp_load_acquire(&head);
  smp_mb();
  if (seen)
    BUG_ON(seen->value != 10 * seen->key);
  rcu_read_unlock();
  return unused;
}

int main(void) {
  pthread_t id;
  insert(1);
  pthread_create(&id, NULL, reader, NULL);
  insert(2);
  erase(2);
  pthread_join(id, NULL);
  erase(1);
}
