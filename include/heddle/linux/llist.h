// SPDX-License-Identifier: MIT
// Lists without locks, to which any thread adds and from which one takes all.
#pragma once

#include <linux/kernel.h>

struct llist_node {
  struct llist_node *next;
};
struct llist_head {
  struct llist_node *first;
};
#define LLIST_HEAD_INIT(name)                                                  \
  { NULL }
#define LLIST_HEAD(name) struct llist_head name = LLIST_HEAD_INIT(name)
#define init_llist_head(head) ((void)((head)->first = NULL))

static inline bool llist_empty(const struct llist_head *head) {
  return !READ_ONCE(head->first);
}

// Was the list empty?
static inline bool llist_add_batch(struct llist_node *first,
                                   struct llist_node *last,
                                   struct llist_head *head) {
  struct llist_node *old = READ_ONCE(head->first), *seen;
  for (;; old = seen) {
    last->next = old;
    seen = cmpxchg(&head->first, old, first);
    if (seen == old)
      return !old;
  }
}

static inline bool llist_add(struct llist_node *node, struct llist_head *head) {
  return llist_add_batch(node, node, head);
}

static inline struct llist_node *llist_del_all(struct llist_head *head) {
  return xchg(&head->first, NULL);
}

// By one thread at a time.
static inline struct llist_node *llist_del_first(struct llist_head *head) {
  struct llist_node *entry = smp_load_acquire(&head->first), *seen;
  for (; entry; entry = seen) {
    seen = cmpxchg(&head->first, entry, READ_ONCE(entry->next));
    if (seen == entry)
      return entry;
  }
  return NULL;
}

static inline struct llist_node *llist_reverse_order(struct llist_node *head) {
  struct llist_node *reversed = NULL;
  while (head) {
    struct llist_node *next = head->next;
    head->next = reversed;
    reversed = head;
    head = next;
  }
  return reversed;
}

#define llist_entry(at, type, member) container_of(at, type, member)
#define __llist_entry_safe(at, type, member)                                   \
  ({                                                                           \
    struct llist_node *__at = (at);                                            \
    __at ? llist_entry(__at, type, member) : NULL;                             \
  })
#define llist_for_each(pos, node) for (pos = (node); pos; pos = pos->next)
#define llist_for_each_entry(pos, node, member)                                \
  for (pos = __llist_entry_safe(node, __typeof__(*(pos)), member); pos;        \
       pos =                                                                   \
           __llist_entry_safe((pos)->member.next, __typeof__(*(pos)), member))
#define llist_for_each_entry_safe(pos, n, node, member)                        \
  for (pos = __llist_entry_safe(node, __typeof__(*(pos)), member);             \
       pos &&                                                                  \
       (n = __llist_entry_safe((pos)->member.next, __typeof__(*(n)), member),  \
       1);                                                                     \
       pos = n)
