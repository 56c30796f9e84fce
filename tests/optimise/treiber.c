// SPDX-License-Identifier: MIT
// A stack whose head moves by compare-exchange; nodes are ordinary memory.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct node {
  int value;
  struct node *next;
} nodes[2];
static _Atomic(struct node *) head;

static void *push(void *arg) {
  struct node *mine = arg;
  mine->value = 1;
  mine->next = atomic_load(&head);
  while (!atomic_compare_exchange_strong(&head, &mine->next, mine))
    continue;
  return 0;
}

static void *pop(void *unused) {
  struct node *top = atomic_load(&head);
  while (top && !atomic_compare_exchange_strong(&head, &top, top->next))
    continue;
  assert(!top || top->value == 1);
  return unused;
}

int main(void) {
  pthread_t ids[3];
  pthread_create(&ids[0], 0, push, &nodes[0]);
  pthread_create(&ids[1], 0, push, &nodes[1]);
  pthread_create(&ids[2], 0, pop, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(ids[i], 0);
}
