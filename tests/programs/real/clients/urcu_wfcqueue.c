// SPDX-License-Identifier: MIT
// A queue that nobody waits at to put something in; poll without files to wait.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
struct cds_node {
  struct cds_node *next;
};
struct cds_head {
  struct cds_node node;
  pthread_mutex_t lock;
};
struct cds_tail {
  struct cds_node *p;
};
#define uatomic_xchg(a, v) __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST)
#define CMM_LOAD_SHARED(x) (*(volatile __typeof__(x) *)&(x))
static void node_init(struct cds_node *n) {
  n->next = NULL;
}
static bool enqueue(struct cds_head *h, struct cds_tail *t,
                    struct cds_node *n) {
  struct cds_node *old = uatomic_xchg(&t->p, n);
  __atomic_store_n(&old->next, n, __ATOMIC_RELEASE);
  return old != &h->node;
}
static struct cds_node *sync_next(struct cds_node *n) {
  struct cds_node *x;
  while (!(x = __atomic_load_n(&n->next, __ATOMIC_ACQUIRE)))
    poll(NULL, 0, 10);
  return x;
}
static struct cds_node *dequeue(struct cds_head *h, struct cds_tail *t) {
  if (!__atomic_load_n(&h->node.next, __ATOMIC_ACQUIRE) &&
      __atomic_load_n(&t->p, __ATOMIC_ACQUIRE) == &h->node)
    return NULL;
  struct cds_node *n = sync_next(&h->node), *next;
  if (!(next = __atomic_load_n(&n->next, __ATOMIC_ACQUIRE))) {
    __atomic_store_n(&h->node.next, NULL, __ATOMIC_RELAXED);
    struct cds_node *e = n;
    if (__atomic_compare_exchange_n(&t->p, &e, &h->node, 0, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
      return n;
    next = sync_next(n);
  }
  __atomic_store_n(&h->node.next, next, __ATOMIC_RELAXED);
  return n;
}
struct item {
  int v;
  struct cds_node n;
};
static struct cds_head head = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct cds_tail tail = {&head.node};
static void *prod(void *a) {
  struct item *i = malloc(sizeof *i);
  i->v = (int)(long)a;
  node_init(&i->n);
  enqueue(&head, &tail, &i->n);
  return NULL;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], 0, prod, (void *)(i + 1));
  int sum = 0;
  for (int k = 0; k < 2;) {
    struct cds_node *n = dequeue(&head, &tail);
    if (!n)
      continue;
    struct item *i = (struct item *)((char *)n - offsetof(struct item, n));
    sum += i->v;
    free(i);
    k++;
  }
  assert(sum == 3);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
