// SPDX-License-Identifier: MIT
// A queue between two threads that take turns by flags; the second one gets out
// of step.
// run: sc,rc11,imm error abort
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define SIZE (5)
#define EMPTY (-1)
#define FULL (-2)
#define FALSE (0)
#define TRUE (1)
void reach_error(void) {
  abort();
}
typedef struct {
  int element[SIZE];
  int head, tail, amount;
} QType;
pthread_mutex_t m;
int stored[SIZE];
_Bool enqueue_flag, dequeue_flag;
QType queue;
void init(QType *q) {
  q->head = 0;
  q->tail = 0;
  q->amount = 0;
}
int empty(QType *q) {
  if (q->head == q->tail) {
    printf("queue is empty\n");
    return EMPTY;
  }
  return 0;
}
int full(QType *q) {
  if (q->amount == SIZE) {
    printf("queue is full\n");
    return FULL;
  }
  return 0;
}
int enqueue(QType *q, int x) {
  q->element[q->tail] = x;
  q->amount++;
  if (q->tail == SIZE) {
    q->tail = 1;
  } else {
    q->tail++;
  }
  return 0;
}
int dequeue(QType *q) {
  int x = q->element[q->head];
  q->amount--;
  if (q->head == SIZE)
    q->head = 1;
  else
    q->head++;
  return x;
}
unsigned int __VERIFIER_nondet_uint(void);
void *t1(void *arg) {
  int value, i;
  pthread_mutex_lock(&m);
  value = __VERIFIER_nondet_uint() % 3;
  if (enqueue(&queue, value)) {
    goto ERROR;
  }
  stored[0] = value;
  if (empty(&queue)) {
    goto ERROR;
  }
  pthread_mutex_unlock(&m);
  for (i = 0; i < SIZE - 1; i++) {
    pthread_mutex_lock(&m);
    if (enqueue_flag) {
      value = i;
      enqueue(&queue, value);
      stored[i + 1] = value;
      enqueue_flag = FALSE;
      dequeue_flag = TRUE;
    }
    pthread_mutex_unlock(&m);
  }
  return NULL;
ERROR : {
  reach_error();
  abort();
}
}
void *t2(void *arg) {
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&m);
    if (dequeue_flag) {
      if (dequeue(&queue) != stored[i]) {
        goto ERROR;
      }
      dequeue_flag = FALSE;
      enqueue_flag = TRUE;
    }
    pthread_mutex_unlock(&m);
  }
  return NULL;
ERROR : {
  reach_error();
  abort();
}
}
int main(void) {
  pthread_t id1, id2;
  enqueue_flag = TRUE;
  dequeue_flag = FALSE;
  init(&queue);
  if (empty(&queue) != EMPTY)
    goto ERROR;
  pthread_mutex_init(&m, 0);
  pthread_create(&id1, NULL, t1, &queue);
  pthread_create(&id2, NULL, t2, &queue);
  pthread_join(id1, NULL);
  pthread_join(id2, NULL);
  return 0;
ERROR:
  reach_error();
}
