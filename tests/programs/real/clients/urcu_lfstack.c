// SPDX-License-Identifier: MIT
// A stack with the older builtins of compilers.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#define CDS_LFS_END ((void *)0x1UL)
struct lfs_node {
  struct lfs_node *next;
};
struct lfs_head {
  struct lfs_node node;
};
struct lfs {
  struct lfs_head *head;
};
static struct lfs s;
static void push(struct lfs_node *n) {
  struct lfs_head *h = NULL, *nh = (struct lfs_head *)n;
  for (;;) {
    struct lfs_head *old = h;
    n->next = &h->node;
    h = __sync_val_compare_and_swap(&s.head, old, nh);
    if (old == h)
      break;
  }
}
static struct lfs_node *pop(void) {
  for (;;) {
    struct lfs_head *h = __atomic_load_n(&s.head, __ATOMIC_CONSUME);
    if (!h)
      return NULL;
    struct lfs_node *next = __atomic_load_n(&h->node.next, __ATOMIC_RELAXED);
    if (__sync_bool_compare_and_swap(&s.head, h, (struct lfs_head *)next))
      return &h->node;
  }
}
static struct lfs_node n[3];
static void *a(void *x) {
  push(&n[(long)x]);
  return NULL;
}
static void *b(void *x) {
  (void)pop();
  return x;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, a, (void *)0);
  pthread_create(&t[1], 0, a, (void *)1);
  pthread_create(&t[2], 0, b, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  int k = 0;
  while (pop())
    k++;
  assert(k == 1 || k == 2);
}
