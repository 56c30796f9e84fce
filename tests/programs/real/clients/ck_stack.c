// SPDX-License-Identifier: MIT
// A stack that is pushed to by many and emptied at once; assembly.
// run: tso,rc11,imm,armv8 ok
#include "ck_pr.h"

#include <assert.h>
#include <pthread.h>

struct stack_entry {
  struct stack_entry *next;
};
struct stack {
  struct stack_entry *head;
};
#define CONTAINER(e, T, m) ((T *)((char *)(e)-offsetof(T, m)))

CK_CC_INLINE void stack_push_upmc(struct stack *target,
                                  struct stack_entry *entry) {
  struct stack_entry *stack;
  stack = pr_load_ptr(&target->head);
  entry->next = stack;
  pr_fence_release();
  while (!pr_cas_ptr(&target->head, stack, entry)) {
    stack = pr_load_ptr(&target->head);
    pr_store_ptr(&entry->next, stack);
    pr_fence_release();
  }
}
CK_CC_INLINE struct stack_entry *stack_batch_pop_upmc(struct stack *target) {
  struct stack_entry *entry = pr_fas_ptr(&target->head, NULL);
  pr_fence_load();
  return entry;
}

struct item {
  int value;
  struct stack_entry link;
};
static struct stack stack;
static struct item items[3];
static unsigned taken;

static void *pusher(void *arg) {
  struct item *i = arg;
  i->value = (int)(i - items) + 1;
  stack_push_upmc(&stack, &i->link);
  return NULL;
}
static void *popper(void *arg) {
  for (struct stack_entry *e = stack_batch_pop_upmc(&stack); e; e = e->next) {
    struct item *i = CONTAINER(e, struct item, link);
    assert(i->value == (int)(i - items) + 1);
    pr_faa_uint(&taken, 1);
  }
  return arg;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, pusher, &items[i]);
  pthread_create(&t[2], NULL, popper, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  popper(NULL);
  assert(pr_load_uint(&taken) == 2);
}
