// SPDX-License-Identifier: MIT
// A sorted set with a lock in each node and marks for those that are gone.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
typedef struct node {
  int key;
  atomic_bool marked;
  _Atomic(struct node *) next;
  atomic_flag lock;
} node_t;
static node_t *head;
static node_t *mk(int key, node_t *next) {
  node_t *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->key = key;
  atomic_init(&n->marked, false);
  atomic_init(&n->next, next);
  n->lock = (atomic_flag)ATOMIC_FLAG_INIT;
  return n;
}
static void lk(node_t *n) {
  while (atomic_flag_test_and_set_explicit(&n->lock, memory_order_acquire))
    ;
}
static void ul(node_t *n) {
  atomic_flag_clear_explicit(&n->lock, memory_order_release);
}
static bool valid(node_t *p, node_t *c) {
  return !atomic_load(&p->marked) && !atomic_load(&c->marked) &&
         atomic_load(&p->next) == c;
}
static bool add(int key) {
  for (;;) {
    node_t *p = head, *c = atomic_load_explicit(&p->next, memory_order_acquire);
    while (c->key < key) {
      p = c;
      c = atomic_load_explicit(&c->next, memory_order_acquire);
    }
    lk(p);
    lk(c);
    if (valid(p, c)) {
      bool done = false;
      if (c->key != key) {
        atomic_store_explicit(&p->next, mk(key, c), memory_order_release);
        done = true;
      }
      ul(c);
      ul(p);
      return done;
    }
    ul(c);
    ul(p);
  }
}
static bool del(int key) {
  for (;;) {
    node_t *p = head, *c = atomic_load_explicit(&p->next, memory_order_acquire);
    while (c->key < key) {
      p = c;
      c = atomic_load_explicit(&c->next, memory_order_acquire);
    }
    lk(p);
    lk(c);
    if (valid(p, c)) {
      bool done = false;
      if (c->key == key) {
        atomic_store(&c->marked, true);
        atomic_store_explicit(&p->next, atomic_load(&c->next),
                              memory_order_release);
        done = true;
      }
      ul(c);
      ul(p);
      return done;
    }
    ul(c);
    ul(p);
  }
}
static bool has(int key) {
  node_t *c = head;
  while (c->key < key)
    c = atomic_load_explicit(&c->next, memory_order_acquire);
  return c->key == key && !atomic_load(&c->marked);
}
static bool added, deleted;
static void *t1(void *a) {
  added = add(5);
  return a;
}
static void *t2(void *a) {
  deleted = del(5);
  return a;
}
static void *t3(void *a) {
  (void)has(5);
  return a;
}
int main(void) {
  head = mk(-1, mk(1000, NULL));
  pthread_t t[3];
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_create(&t[2], 0, t3, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(added);
  assert(has(5) == !deleted);
}
