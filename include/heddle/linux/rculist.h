// SPDX-License-Identifier: MIT
// Lists that are read under RCU while others add to them and remove from them.
#pragma once

#include <linux/list.h>
#include <linux/rcupdate.h>

#define list_next_rcu(list) (*((struct list_head **)(&(list)->next)))
#define hlist_first_rcu(head) (*((struct hlist_node **)(&(head)->first)))
#define hlist_next_rcu(node) (*((struct hlist_node **)(&(node)->next)))

static inline void __list_add_rcu(struct list_head *entry,
                                  struct list_head *prev,
                                  struct list_head *next) {
  entry->next = next;
  entry->prev = prev;
  rcu_assign_pointer(list_next_rcu(prev), entry);
  next->prev = entry;
}

static inline void list_add_rcu(struct list_head *entry,
                                struct list_head *head) {
  __list_add_rcu(entry, head, head->next);
}

static inline void list_add_tail_rcu(struct list_head *entry,
                                     struct list_head *head) {
  __list_add_rcu(entry, head->prev, head);
}

// A reader that stands on the element may still go on from it.
static inline void list_del_rcu(struct list_head *entry) {
  __list_del_entry(entry);
  entry->prev = (struct list_head *)LIST_POISON2;
}

static inline void list_replace_rcu(struct list_head *old,
                                    struct list_head *entry) {
  entry->next = old->next;
  entry->prev = old->prev;
  rcu_assign_pointer(list_next_rcu(entry->prev), entry);
  entry->next->prev = entry;
  old->prev = (struct list_head *)LIST_POISON2;
}

#define list_entry_rcu(at, type, member)                                       \
  container_of(READ_ONCE(at), type, member)
#define list_first_or_null_rcu(head, type, member)                             \
  ({                                                                           \
    struct list_head *__head = (head), *__first = READ_ONCE(__head->next);     \
    __first != __head ? container_of(__first, type, member) : NULL;            \
  })
#define list_for_each_entry_rcu(pos, head, member, ...)                        \
  for (pos = list_entry_rcu((head)->next, __typeof__(*(pos)), member);         \
       &(pos)->member != (head);                                               \
       pos = list_entry_rcu((pos)->member.next, __typeof__(*(pos)), member))

static inline void hlist_add_head_rcu(struct hlist_node *node,
                                      struct hlist_head *head) {
  struct hlist_node *first = head->first;
  node->next = first;
  WRITE_ONCE(node->pprev, &head->first);
  rcu_assign_pointer(hlist_first_rcu(head), node);
  if (first)
    WRITE_ONCE(first->pprev, &node->next);
}

static inline void hlist_del_rcu(struct hlist_node *node) {
  __hlist_del(node);
  WRITE_ONCE(node->pprev, (struct hlist_node **)LIST_POISON2);
}

static inline void hlist_del_init_rcu(struct hlist_node *node) {
  if (hlist_unhashed(node))
    return;
  __hlist_del(node);
  WRITE_ONCE(node->pprev, NULL);
}

#define hlist_for_each_entry_rcu(pos, head, member, ...)                       \
  for (pos = hlist_entry_safe(rcu_dereference(hlist_first_rcu(head)),          \
                              __typeof__(*(pos)), member);                     \
       pos;                                                                    \
       pos = hlist_entry_safe(rcu_dereference(hlist_next_rcu(&(pos)->member)), \
                              __typeof__(*(pos)), member))
