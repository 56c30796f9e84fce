// SPDX-License-Identifier: MIT
// A stack whose push never waits; who pops may have to wait for a link.
// run: rc11 error race
// run: args=--volatile args=relaxed rc11,imm ok
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define uatomic_xchg(p, v) __sync_lock_test_and_set(p, v)
#define uatomic_cmpxchg(p, o, n) __sync_val_compare_and_swap(p, o, n)
#define CMM_LOAD_SHARED(x) (*(volatile __typeof__(x) *)&(x))
#define CMM_STORE_SHARED(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define cmm_smp_mb() __sync_synchronize()

struct wfs_node {
  struct wfs_node *next;
};
#define WFS_END ((struct wfs_node *)0x1)
struct wfs_stack {
  struct wfs_node *head;
  pthread_mutex_t lock;
};

static bool wfs_push(struct wfs_stack *s, struct wfs_node *node) {
  struct wfs_node *old_head;
  cmm_smp_mb();
  old_head = uatomic_xchg(&s->head, node);
  CMM_STORE_SHARED(node->next, old_head);
  return old_head != WFS_END;
}
static struct wfs_node *wfs_node_sync_next(struct wfs_node *node) {
  struct wfs_node *next;
  while ((next = CMM_LOAD_SHARED(node->next)) == NULL)
    __asm__ __volatile__("rep; nop" ::: "memory");
  return next;
}
static struct wfs_node *wfs_pop(struct wfs_stack *s) {
  struct wfs_node *head, *next;
  for (;;) {
    head = CMM_LOAD_SHARED(s->head);
    if (head == WFS_END)
      return NULL;
    next = wfs_node_sync_next(head);
    if (uatomic_cmpxchg(&s->head, head, next) == head)
      return head;
  }
}

struct item {
  struct wfs_node node;
  int value;
};
static struct wfs_stack stack = {WFS_END, PTHREAD_MUTEX_INITIALIZER};
static struct item items[2];
static int sum;

static void pop_one(void) {
  pthread_mutex_lock(&stack.lock);
  struct wfs_node *n = wfs_pop(&stack);
  if (n)
    sum += ((struct item *)n)->value;
  pthread_mutex_unlock(&stack.lock);
}
static void *push(void *arg) {
  struct item *i = arg;
  i->value = (int)(i - items) + 1;
  wfs_push(&stack, &i->node);
  return NULL;
}
static void *pop(void *arg) {
  pop_one();
  return arg;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, push, &items[0]);
  pthread_create(&t[1], NULL, push, &items[1]);
  pthread_create(&t[2], NULL, pop, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  pop_one();
  pop_one();
  assert(sum == 3);
}
