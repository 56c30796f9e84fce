// SPDX-License-Identifier: MIT
// A list under a lock, as there are many in a kernel: of each pointer only the
// values that are addresses have to be known.
// expect: lkmm ok 6; rc11 ok 6
#include <assert.h>
#include <heddle/lkmm.h>
#include <linux/slab.h>
#include <pthread.h>

struct node {
  struct node *next;
  int value;
};

static DEFINE_SPINLOCK(lock);
static struct node *top;

static void *push(void *arg) {
  struct node *n = kmalloc(sizeof *n, GFP_KERNEL);
  n->value = 1;
  spin_lock(&lock);
  n->next = top;
  top = n;
  spin_unlock(&lock);
  return arg;
}

static void *pop(void *arg) {
  spin_lock(&lock);
  struct node *n = top;
  if (n)
    top = n->next;
  spin_unlock(&lock);
  if (n) {
    assert(n->value == 1);
    kfree(n);
  }
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, i == 2 ? pop : push, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  while (top) {
    struct node *n = top;
    top = n->next;
    kfree(n);
  }
  return 0;
}
