// SPDX-License-Identifier: MIT
// Two threads of the kernel add work to a list without locks and complete; who
// waits for both finds all of it. The one that finds the list empty is told so.
// expect: lkmm incomplete; armv8 ok 16; rc11 ok 8
// run: flags=-DWAIT_ONCE lkmm error assertion
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/llist.h>

struct work {
  int n;
  struct llist_node node;
};

static LLIST_HEAD(todo);
static DECLARE_COMPLETION(added);
static struct work works[2] = {{.n = 1}, {.n = 2}};

static int adds(void *p) {
  struct work *w = p;
  bool was_empty = llist_add(&w->node, &todo);
  complete(&added);
  return was_empty;
}

static int number(struct llist_node *node) {
  return llist_entry(node, struct work, node)->n;
}

int main(void) {
  struct task_struct *one = kthread_run(adds, &works[0], "one"),
                     *other = kthread_run(adds, &works[1], "other");
  assert(!IS_ERR(one) && !IS_ERR(other));
  wait_for_completion(&added);
#ifndef WAIT_ONCE
  wait_for_completion(&added);
#endif
  struct llist_node *first = llist_del_all(&todo);
  assert(first->next && !first->next->next); // BUG
  assert(number(first) + number(first->next) == 3);
  int was_empty = kthread_stop(one) + kthread_stop(other);
  assert(was_empty == 1);
  return 0;
}
