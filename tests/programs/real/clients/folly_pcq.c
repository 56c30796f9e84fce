// SPDX-License-Identifier: MIT
// A queue of pointers between two threads, as it is written in C++ and brought
// over: records are constructed in place and destroyed when they are read.
// run: rc11,imm ok
// run: flags=-DWEAK rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char *text;
  size_t length;
} record_t;
typedef struct {
  char pad0[64];
  const uint32_t size;
  record_t *const records;
  _Alignas(64) _Atomic unsigned read_index;
  _Alignas(64) _Atomic unsigned write_index;
} pcq_t;

static pcq_t *pcq_create(uint32_t size) {
  pcq_t *q = aligned_alloc(64, sizeof *q);
  if (!q)
    abort();
  memset(q, 0, sizeof *q);
  *(uint32_t *)&q->size = size;
  *(record_t **)&q->records = malloc(sizeof(record_t) * size);
  return q;
}
static bool pcq_write(pcq_t *q, const char *text) {
  unsigned w = atomic_load_explicit(&q->write_index, memory_order_relaxed);
  unsigned next = w + 1;
  if (next == q->size)
    next = 0;
  if (next != atomic_load_explicit(&q->read_index, memory_order_acquire)) {
    q->records[w].length = strlen(text);
    q->records[w].text = strdup(text);
#ifdef WEAK
    atomic_store_explicit(&q->write_index, next, memory_order_relaxed);
#else
    atomic_store_explicit(&q->write_index, next, memory_order_release);
#endif
    return true;
  }
  return false;
}
static bool pcq_read(pcq_t *q, record_t *out) {
  unsigned r = atomic_load_explicit(&q->read_index, memory_order_relaxed);
  if (r == atomic_load_explicit(&q->write_index, memory_order_acquire))
    return false;
  unsigned next = r + 1;
  if (next == q->size)
    next = 0;
  *out = q->records[r];
  memset(&q->records[r], 0xdd, sizeof q->records[r]);
  atomic_store_explicit(&q->read_index, next, memory_order_release);
  return true;
}
static void pcq_destroy(pcq_t *q) {
  record_t r;
  while (pcq_read(q, &r))
    free(r.text);
  free(q->records);
  free(q);
}
static pcq_t *q;
static void *producer(void *arg) {
  static const char *const words[] = {"one", "three", "eleven"};
  for (int i = 0; i < 3; i++)
    while (!pcq_write(q, words[i]))
      ;
  return arg;
}
static void *consumer(void *arg) {
  record_t r;
  for (int i = 0; i < 2; i++) {
    while (!pcq_read(q, &r))
      ;
    assert(r.length == strlen(r.text));
    free(r.text);
  }
  return arg;
}
int main(void) {
  pthread_t p, c;
  q = pcq_create(2);
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  pcq_destroy(q);
}
