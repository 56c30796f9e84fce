// SPDX-License-Identifier: MIT
// A sorted set as a lock-free list: removal marks the low bit of a next
// pointer, and whoever walks by unlinks what is marked. Removed nodes are freed
// at the end, by their remover's list.
// run: flags=-DINSERTS all ok
// run: flags=-DMIXED all ok
// run: flags=-DMIXED flags=-DNO_MARK all error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  int key;
  _Atomic(uintptr_t) next; // bit 0: this node is removed
  struct node *retired;
};

static struct node tail = {.key = 100};
static struct node head = {.key = -1, .next = (uintptr_t)&tail};
static _Thread_local struct node *retired;

static struct node *node_of(uintptr_t link) {
  return (struct node *)(link & ~(uintptr_t)1);
}

static bool is_marked(uintptr_t link) {
  return link & 1;
}

// The first node of at least that key, and the link that leads to it.
static struct node *find(int key, struct node **ret_before) {
again:;
  struct node *before = &head;
  struct node *at =
      node_of(atomic_load_explicit(&head.next, memory_order_acquire));
  for (;;) {
    uintptr_t next = atomic_load_explicit(&at->next, memory_order_acquire);
    if (is_marked(next)) {
      uintptr_t expected = (uintptr_t)at;
      if (!atomic_compare_exchange_strong_explicit(
              &before->next, &expected, (uintptr_t)node_of(next),
              memory_order_acq_rel, memory_order_acquire))
        goto again;
      at = node_of(next);
      continue;
    }
    if (at->key >= key) {
      *ret_before = before;
      return at;
    }
    before = at;
    at = node_of(next);
  }
}

static bool insert(int key) {
  struct node *n = malloc(sizeof *n), *before;
  n->key = key;
  n->retired = NULL;
  for (;;) {
    struct node *at = find(key, &before);
    if (at->key == key) {
      free(n);
      return false;
    }
    atomic_store_explicit(&n->next, (uintptr_t)at, memory_order_relaxed);
    uintptr_t expected = (uintptr_t)at;
    if (atomic_compare_exchange_strong_explicit(
            &before->next, &expected, (uintptr_t)n, memory_order_acq_rel,
            memory_order_acquire))
      return true;
  }
}

static bool erase(int key) {
  struct node *before;
  for (;;) {
    struct node *at = find(key, &before);
    if (at->key != key)
      return false;
    uintptr_t next = atomic_load_explicit(&at->next, memory_order_acquire);
    if (is_marked(next))
      continue;
#ifdef NO_MARK
    bool done = true;
#else
    bool done = atomic_compare_exchange_strong_explicit(
        &at->next, &next, next | 1, memory_order_acq_rel, memory_order_acquire);
#endif
    if (!done)
      continue;
    uintptr_t expected = (uintptr_t)at;
    atomic_compare_exchange_strong_explicit(&before->next, &expected, next,
                                            memory_order_acq_rel,
                                            memory_order_acquire);
    at->retired = retired;
    retired = at;
    return true;
  }
}

static bool contains(int key) {
  struct node *before;
  return find(key, &before)->key == key;
}

static void *other(void *arg) {
#ifdef INSERTS
  insert(2);
#else
  erase(1);
#endif
  return retired ? retired : arg;
}

int main(void) {
  pthread_t t;
  void *removed;
  insert(1);
  pthread_create(&t, NULL, other, NULL);
  bool done = insert(2);
  pthread_join(t, &removed);
  assert(contains(2));
#ifdef INSERTS
  assert(contains(1));
#else
  assert(done && !contains(1));
#endif
  (void)done;
  for (struct node *n = node_of(head.next), *next; n != &tail; n = next) {
    next = node_of(n->next);
    free(n);
  }
  for (struct node *n = removed, *next; n; n = next) {
    next = n->retired;
    free(n);
  }
  return 0;
}
