// SPDX-License-Identifier: MIT
// Hazard pointers around a stack: nodes are retired into a list of the thread
// and freed when nobody announces them.
// run: sc,rc11 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define NTHREADS 2
#define HP_PER_THREAD 1

typedef struct node {
  struct node *next;
  int value;
} node_t;

static _Atomic(node_t *) head;
static _Atomic(node_t *) hazards[NTHREADS * HP_PER_THREAD];

typedef struct {
  int id;
  node_t *retired[8];
  int nretired;
} hp_thread_t;

static void hp_scan(hp_thread_t *self) {
  int kept = 0;
  for (int i = 0; i < self->nretired; i++) {
    int busy = 0;
    for (int j = 0; j < NTHREADS * HP_PER_THREAD; j++)
      if (atomic_load(&hazards[j]) == self->retired[i])
        busy = 1;
    if (busy)
      self->retired[kept++] = self->retired[i];
    else
      free(self->retired[i]);
  }
  self->nretired = kept;
}

static void hp_retire(hp_thread_t *self, node_t *n) {
  self->retired[self->nretired++] = n;
  hp_scan(self);
}

static void push(int value) {
  node_t *n = malloc(sizeof(*n));
  n->value = value;
  n->next = atomic_load_explicit(&head, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
      &head, &n->next, n, memory_order_release, memory_order_relaxed))
    ;
}

static int pop(hp_thread_t *self, int *value) {
  node_t *old;
  do {
    node_t *temp;
    old = atomic_load(&head);
    do { // until the announcement is of what is there
      temp = old;
      atomic_store(&hazards[self->id], old);
      old = atomic_load(&head);
    } while (old != temp);
  } while (old && !atomic_compare_exchange_strong(&head, &old, old->next));
  atomic_store(&hazards[self->id], NULL);
  if (!old)
    return 0;
  *value = old->value;
  hp_retire(self, old);
  return 1;
}

static void *thread(void *arg) {
  hp_thread_t self = {.id = (int)(long)arg};
  int v = 0;
  push(self.id + 1);
  if (pop(&self, &v))
    assert(v == 1 || v == 2);
  return NULL;
}

int main(void) {
  pthread_t t[NTHREADS];
  for (long i = 0; i < NTHREADS; i++)
    pthread_create(&t[i], NULL, thread, (void *)i);
  for (int i = 0; i < NTHREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}
