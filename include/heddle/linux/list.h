// SPDX-License-Identifier: MIT
// Doubly linked lists, and lists of one pointer for the buckets of hash tables.
// As in the kernel, what a reader without a lock may look at is written with
// WRITE_ONCE: the pointer to a new element, and the one past a removed element.
#pragma once

#include <linux/kernel.h>

#define LIST_POISON1 ((void *)0x100)
#define LIST_POISON2 ((void *)0x122)
#define LIST_HEAD_INIT(name)                                                   \
  { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)

static inline void INIT_LIST_HEAD(struct list_head *list) {
  WRITE_ONCE(list->next, list);
  WRITE_ONCE(list->prev, list);
}

static inline void __list_add(struct list_head *entry, struct list_head *prev,
                              struct list_head *next) {
  next->prev = entry;
  entry->next = next;
  entry->prev = prev;
  WRITE_ONCE(prev->next, entry);
}

static inline void list_add(struct list_head *entry, struct list_head *head) {
  __list_add(entry, head, head->next);
}

static inline void list_add_tail(struct list_head *entry,
                                 struct list_head *head) {
  __list_add(entry, head->prev, head);
}

static inline void __list_del(struct list_head *prev, struct list_head *next) {
  next->prev = prev;
  WRITE_ONCE(prev->next, next);
}

static inline void __list_del_entry(struct list_head *entry) {
  __list_del(entry->prev, entry->next);
}

static inline void list_del(struct list_head *entry) {
  __list_del_entry(entry);
  entry->next = (struct list_head *)LIST_POISON1;
  entry->prev = (struct list_head *)LIST_POISON2;
}

static inline void list_del_init(struct list_head *entry) {
  __list_del_entry(entry);
  INIT_LIST_HEAD(entry);
}

static inline void list_replace(struct list_head *old,
                                struct list_head *entry) {
  entry->next = old->next;
  entry->next->prev = entry;
  entry->prev = old->prev;
  entry->prev->next = entry;
}

static inline void list_move(struct list_head *entry, struct list_head *head) {
  __list_del_entry(entry);
  list_add(entry, head);
}

static inline void list_move_tail(struct list_head *entry,
                                  struct list_head *head) {
  __list_del_entry(entry);
  list_add_tail(entry, head);
}

static inline bool list_empty(const struct list_head *head) {
  return READ_ONCE(head->next) == head;
}

static inline bool list_is_last(const struct list_head *entry,
                                const struct list_head *head) {
  return entry->next == head;
}

static inline bool list_is_singular(const struct list_head *head) {
  return !list_empty(head) && head->next == head->prev;
}

static inline void list_splice_init(struct list_head *list,
                                    struct list_head *head) {
  if (list_empty(list))
    return;
  struct list_head *first = list->next, *last = list->prev, *at = head->next;
  first->prev = head;
  head->next = first;
  last->next = at;
  at->prev = last;
  INIT_LIST_HEAD(list);
}

#define list_entry(at, type, member) container_of(at, type, member)
#define list_first_entry(head, type, member)                                   \
  list_entry((head)->next, type, member)
#define list_last_entry(head, type, member)                                    \
  list_entry((head)->prev, type, member)
#define list_first_entry_or_null(head, type, member)                           \
  ({                                                                           \
    struct list_head *__head = (head), *__first = READ_ONCE(__head->next);     \
    __first != __head ? list_entry(__first, type, member) : NULL;              \
  })
#define list_next_entry(pos, member)                                           \
  list_entry((pos)->member.next, __typeof__(*(pos)), member)
#define list_prev_entry(pos, member)                                           \
  list_entry((pos)->member.prev, __typeof__(*(pos)), member)
#define list_for_each(pos, head)                                               \
  for (pos = (head)->next; pos != (head); pos = pos->next)
#define list_for_each_safe(pos, n, head)                                       \
  for (pos = (head)->next, n = pos->next; pos != (head); pos = n, n = pos->next)
#define list_for_each_entry(pos, head, member)                                 \
  for (pos = list_first_entry(head, __typeof__(*pos), member);                 \
       &pos->member != (head); pos = list_next_entry(pos, member))
#define list_for_each_entry_reverse(pos, head, member)                         \
  for (pos = list_last_entry(head, __typeof__(*pos), member);                  \
       &pos->member != (head); pos = list_prev_entry(pos, member))
#define list_for_each_entry_safe(pos, n, head, member)                         \
  for (pos = list_first_entry(head, __typeof__(*pos), member),                 \
      n = list_next_entry(pos, member);                                        \
       &pos->member != (head); pos = n, n = list_next_entry(n, member))

// -- with one pointer in the head

#define HLIST_HEAD_INIT                                                        \
  { NULL }
#define HLIST_HEAD(name) struct hlist_head name = HLIST_HEAD_INIT
#define INIT_HLIST_HEAD(head) ((void)((head)->first = NULL))

static inline void INIT_HLIST_NODE(struct hlist_node *node) {
  node->next = NULL;
  node->pprev = NULL;
}

static inline bool hlist_unhashed(const struct hlist_node *node) {
  return !node->pprev;
}

static inline bool hlist_empty(const struct hlist_head *head) {
  return !READ_ONCE(head->first);
}

static inline void hlist_add_head(struct hlist_node *node,
                                  struct hlist_head *head) {
  struct hlist_node *first = head->first;
  WRITE_ONCE(node->next, first);
  if (first)
    WRITE_ONCE(first->pprev, &node->next);
  WRITE_ONCE(head->first, node);
  WRITE_ONCE(node->pprev, &head->first);
}

static inline void __hlist_del(struct hlist_node *node) {
  struct hlist_node *next = node->next, **pprev = node->pprev;
  WRITE_ONCE(*pprev, next);
  if (next)
    WRITE_ONCE(next->pprev, pprev);
}

static inline void hlist_del(struct hlist_node *node) {
  __hlist_del(node);
  node->next = (struct hlist_node *)LIST_POISON1;
  node->pprev = (struct hlist_node **)LIST_POISON2;
}

static inline void hlist_del_init(struct hlist_node *node) {
  if (hlist_unhashed(node))
    return;
  __hlist_del(node);
  INIT_HLIST_NODE(node);
}

#define hlist_entry(at, type, member) container_of(at, type, member)
#define hlist_entry_safe(at, type, member)                                     \
  ({                                                                           \
    struct hlist_node *__at = (at);                                            \
    __at ? hlist_entry(__at, type, member) : NULL;                             \
  })
#define hlist_for_each_entry(pos, head, member)                                \
  for (pos = hlist_entry_safe((head)->first, __typeof__(*(pos)), member); pos; \
       pos = hlist_entry_safe((pos)->member.next, __typeof__(*(pos)), member))
#define hlist_for_each_entry_safe(pos, n, head, member)                        \
  for (pos = hlist_entry_safe((head)->first, __typeof__(*(pos)), member);      \
       pos && (n = (pos)->member.next, 1);                                     \
       pos = hlist_entry_safe(n, __typeof__(*(pos)), member))
