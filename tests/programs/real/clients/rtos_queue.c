// SPDX-License-Identifier: MIT
// A queue of a small real-time kernel on top of POSIX: critical sections, lists
// of tasks that wait, notifications.
// run: rc11,imm ok
// run: flags=-DSIGNAL rc11 error deadlock
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;
#define pdTRUE ((BaseType_t)1)
#define pdFALSE ((BaseType_t)0)
#define portMAX_DELAY ((TickType_t)0xffffffff)
#define configASSERT(x) assert(x)

static pthread_mutex_t port_mutex;
static pthread_cond_t port_cond = PTHREAD_COND_INITIALIZER;
static void port_init(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&port_mutex, &a);
}
#define taskENTER_CRITICAL() pthread_mutex_lock(&port_mutex)
#define taskEXIT_CRITICAL() pthread_mutex_unlock(&port_mutex)

typedef struct QueueDefinition {
  int8_t *pcHead, *pcTail, *pcWriteTo, *pcReadFrom;
  volatile UBaseType_t uxMessagesWaiting;
  UBaseType_t uxLength, uxItemSize;
} Queue_t, *QueueHandle_t;

static QueueHandle_t xQueueCreate(UBaseType_t len, UBaseType_t size) {
  Queue_t *q = malloc(sizeof(Queue_t) + len * size);
  configASSERT(q);
  q->pcHead = (int8_t *)q + sizeof(Queue_t);
  q->pcTail = q->pcHead + len * size;
  q->pcWriteTo = q->pcHead;
  q->pcReadFrom = q->pcHead + (len - 1) * size;
  q->uxMessagesWaiting = 0;
  q->uxLength = len;
  q->uxItemSize = size;
  return q;
}
static BaseType_t xQueueSend(QueueHandle_t q, const void *item, TickType_t t) {
  taskENTER_CRITICAL();
  while (q->uxMessagesWaiting == q->uxLength) {
    if (t == 0) {
      taskEXIT_CRITICAL();
      return pdFALSE;
    }
    pthread_cond_wait(&port_cond, &port_mutex);
  }
  memcpy(q->pcWriteTo, item, q->uxItemSize);
  q->pcWriteTo += q->uxItemSize;
  if (q->pcWriteTo >= q->pcTail)
    q->pcWriteTo = q->pcHead;
  q->uxMessagesWaiting++;
#ifdef SIGNAL
  pthread_cond_signal(&port_cond);
#else
  pthread_cond_broadcast(&port_cond);
#endif
  taskEXIT_CRITICAL();
  return pdTRUE;
}
static BaseType_t xQueueReceive(QueueHandle_t q, void *item, TickType_t t) {
  taskENTER_CRITICAL();
  while (q->uxMessagesWaiting == 0) {
    if (t == 0) {
      taskEXIT_CRITICAL();
      return pdFALSE;
    }
    pthread_cond_wait(&port_cond, &port_mutex);
  }
  q->pcReadFrom += q->uxItemSize;
  if (q->pcReadFrom >= q->pcTail)
    q->pcReadFrom = q->pcHead;
  memcpy(item, q->pcReadFrom, q->uxItemSize);
  q->uxMessagesWaiting--;
#ifdef SIGNAL
  pthread_cond_signal(&port_cond);
#else
  pthread_cond_broadcast(&port_cond);
#endif
  taskEXIT_CRITICAL();
  return pdTRUE;
}

struct message {
  uint16_t id;
  uint32_t value;
};
static QueueHandle_t queue;
static void *sender(void *arg) {
  struct message m = {.id = (uint16_t)(uintptr_t)arg, .value = 7};
  configASSERT(xQueueSend(queue, &m, portMAX_DELAY) == pdTRUE);
  return NULL;
}
static void *receiver(void *arg) {
  struct message m;
  configASSERT(xQueueReceive(queue, &m, portMAX_DELAY) == pdTRUE);
  configASSERT(m.value == 7 && (m.id == 1 || m.id == 2));
  return arg;
}
int main(void) {
  pthread_t t[4];
  port_init();
  queue = xQueueCreate(1, sizeof(struct message));
  pthread_create(&t[0], NULL, sender, (void *)1);
  pthread_create(&t[1], NULL, sender, (void *)2);
  pthread_create(&t[2], NULL, receiver, NULL);
  pthread_create(&t[3], NULL, receiver, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  free(queue);
}
