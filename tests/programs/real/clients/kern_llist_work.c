// SPDX-License-Identifier: MIT
// Deferred work in a list that is taken all at once, with references.
// run: sc,tso,rc11 ok
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#define container_of(ptr, type, member)                                        \
  ({                                                                           \
    void *__mptr = (void *)(ptr);                                              \
    ((type *)(__mptr - offsetof(type, member)));                               \
  })
#define llist_for_each_safe(pos, n, node)                                      \
  for ((pos) = (node); (pos) && ((n) = (pos)->next, true); (pos) = (n))
struct llist_node {
  struct llist_node *next;
};
struct llist_head {
  _Atomic(struct llist_node *) first;
};
static bool llist_add(struct llist_node *n, struct llist_head *h) {
  struct llist_node *first =
      atomic_load_explicit(&h->first, memory_order_relaxed);
  do {
    n->next = first;
  } while (!atomic_compare_exchange_weak_explicit(
      &h->first, &first, n, memory_order_release, memory_order_relaxed));
  return !first;
}
static struct llist_node *llist_del_all(struct llist_head *h) {
  return atomic_exchange(&h->first, NULL);
}
typedef struct {
  atomic_int refs;
} refcount_t;
static bool refcount_inc_not_zero(refcount_t *r) {
  int o = atomic_load_explicit(&r->refs, memory_order_relaxed);
  do {
    if (!o)
      return false;
  } while (!atomic_compare_exchange_weak_explicit(
      &r->refs, &o, o + 1, memory_order_relaxed, memory_order_relaxed));
  return true;
}
static bool refcount_dec_and_test(refcount_t *r) {
  int o = atomic_fetch_sub_explicit(&r->refs, 1, memory_order_release);
  if (o == 1) {
    atomic_thread_fence(memory_order_acquire);
    return true;
  }
  return false;
}
struct work {
  int n;
  struct llist_node node;
  refcount_t ref;
};
static struct llist_head list;
static atomic_int ran;
static void put(struct work *w) {
  if (refcount_dec_and_test(&w->ref))
    free(w);
}
static void *queue(void *a) {
  struct work *w = malloc(sizeof *w);
  w->n = (int)(long)a;
  atomic_init(&w->ref.refs, 1);
  bool ok = refcount_inc_not_zero(&w->ref);
  assert(ok);
  llist_add(&w->node, &list);
  put(w);
  return NULL;
}
static void run(void) {
  struct llist_node *p, *n;
  llist_for_each_safe(p, n, llist_del_all(&list)) {
    struct work *w = container_of(p, struct work, node);
    ran += w->n;
    put(w);
  }
}
int main(void) {
  pthread_t t[2];
  for (long i = 1; i <= 2; i++)
    pthread_create(&t[i - 1], 0, queue, (void *)i);
  run();
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  run();
  assert(ran == 3);
}
