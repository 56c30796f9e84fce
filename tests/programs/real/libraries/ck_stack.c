// SPDX-License-Identifier: MIT
// A stack of many producers over assembly, emptied in one batch, and counted
// references that free what they count.
// expect: all ok
#include "ck_style.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct entry {
  struct entry *next;
  int value;
};
struct stack {
  struct entry *head;
};
struct box {
  unsigned references;
  int sum;
};

static struct stack stack;

static void push(struct stack *s, struct entry *e) {
  struct entry *head = pr_load_ptr((void *const *)&s->head);
  for (;;) {
    e->next = head;
    if (pr_cas_ptr(&s->head, head, e))
      return;
    head = pr_load_ptr((void *const *)&s->head);
  }
}

static struct entry *take_all(struct stack *s) {
  return pr_fas_ptr(&s->head, NULL);
}

static void release(struct box *b) {
  if (pr_dec_is_zero(&b->references))
    free(b);
}

static void *producer(void *arg) {
  struct entry *e = malloc(sizeof *e);
  e->value = 1;
  push(&stack, e);
  release(arg);
  return NULL;
}

static int drain(void) {
  int n = 0;
  for (struct entry *e = take_all(&stack), *next; e; e = next) {
    next = e->next;
    n += e->value;
    free(e);
  }
  return n;
}

int main(void) {
  struct box *b = calloc(1, sizeof *b);
  b->references = 3;
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, producer, b);
  int n = drain();
  release(b);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(n + drain() == 2);
  return 0;
}
