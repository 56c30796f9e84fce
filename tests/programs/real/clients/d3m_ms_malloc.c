// SPDX-License-Identifier: MIT
// Michael and Scott's queue with nodes from malloc, never given back.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#define EMPTY -1
#define CAS(ptr, expected, desired)                                            \
  (atomic_compare_exchange_strong_explicit(                                    \
      ptr, expected, desired, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
#define load(loc) (atomic_load_explicit(loc, __ATOMIC_ACQUIRE))
#define store(loc, val) (atomic_store_explicit(loc, val, __ATOMIC_RELEASE))
typedef struct Node {
  int val;
  _Atomic(struct Node *) next;
} Node;
struct {
  _Atomic(Node *) Tail;
  _Atomic(Node *) Head;
} queue;
void init() {
  Node *node = malloc(sizeof(Node));
  atomic_init(&node->next, NULL);
  atomic_init(&queue.Head, node);
  atomic_init(&queue.Tail, node);
}
void enqueue(int value) {
  Node *tail, *next, *node = malloc(sizeof(Node));
  node->val = value;
  atomic_init(&node->next, NULL);
  while (1) {
    tail = load(&queue.Tail);
    assert(tail != NULL);
    next = load(&tail->next);
    if (tail == load(&queue.Tail)) {
      if (next != NULL) {
        CAS(&queue.Tail, &tail, next);
      } else {
        if (CAS(&tail->next, &next, node)) {
          CAS(&queue.Tail, &tail, node);
          break;
        }
      }
    }
  }
}
int dequeue() {
  Node *head, *next, *tail;
  int result;
  while (1) {
    head = load(&queue.Head);
    assert(head != NULL);
    tail = load(&queue.Tail);
    assert(tail != NULL);
    next = load(&head->next);
    if (head == load(&queue.Head)) {
      if (next == NULL) {
        result = EMPTY;
        break;
      } else {
        if (head == tail) {
          CAS(&queue.Tail, &tail, next);
        } else {
          result = next->val;
          if (CAS(&queue.Head, &head, next)) {
            break;
          }
        }
      }
    }
  }
  return result;
}
int data[2];
void *worker(void *arg) {
  long i = (long)arg;
  enqueue((int)i);
  int r = dequeue();
  assert(r != EMPTY);
  data[r] = 1;
  return NULL;
}
int main() {
  pthread_t t[2];
  init();
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  for (int i = 0; i < 2; i++)
    assert(data[i] == 1);
  assert(dequeue() == EMPTY);
  return 0;
}
