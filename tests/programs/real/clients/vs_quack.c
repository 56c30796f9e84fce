// SPDX-License-Identifier: MIT
// Pushed one by one, taken all at once and turned around.
// run: sc,tso,rc11 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct n {
  struct n *next;
  int v;
};
static _Atomic(struct n *) top;
static void push(struct n *n) {
  n->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
      &top, &n->next, n, memory_order_release, memory_order_relaxed))
    ;
}
static struct n *popall(void) {
  return atomic_exchange_explicit(&top, NULL, memory_order_acquire);
}
static struct n *reverse(struct n *n) {
  struct n *r = NULL;
  while (n) {
    struct n *x = n->next;
    n->next = r;
    r = n;
    n = x;
  }
  return r;
}
static void *producer(void *a) {
  for (int i = 0; i < 2; i++) {
    struct n *n = malloc(sizeof *n);
    n->v = i + 10 * (int)(long)a;
    push(n);
  }
  return NULL;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], 0, producer, (void *)i);
  int got = 0, last[2] = {-1, -1};
  while (got < 4) {
    struct n *n = reverse(popall());
    while (n) {
      struct n *x = n->next;
      int p = n->v / 10;
      assert(n->v % 10 > last[p]);
      last[p] = n->v % 10;
      got++;
      free(n);
      n = x;
    }
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
