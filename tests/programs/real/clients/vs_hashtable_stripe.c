// SPDX-License-Identifier: MIT
// A hash table with a mutex for every other bucket.
// run: sc,rc11,imm ok
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define BUCKETS 4
#define STRIPES 2
typedef struct entry {
  struct entry *next;
  uint64_t key, value;
} entry_t;
static struct {
  pthread_mutex_t lock[STRIPES];
  entry_t *bucket[BUCKETS];
  size_t count[STRIPES];
} table;
static uint64_t mix(uint64_t k) {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccdULL;
  k ^= k >> 33;
  return k;
}
static void put(uint64_t k, uint64_t v) {
  size_t b = mix(k) % BUCKETS, s = b % STRIPES;
  pthread_mutex_lock(&table.lock[s]);
  for (entry_t *e = table.bucket[b]; e; e = e->next)
    if (e->key == k) {
      e->value = v;
      goto out;
    }
  entry_t *e = calloc(1, sizeof *e);
  e->key = k;
  e->value = v;
  e->next = table.bucket[b];
  table.bucket[b] = e;
  table.count[s]++;
out:
  pthread_mutex_unlock(&table.lock[s]);
}
static int get(uint64_t k, uint64_t *v) {
  size_t b = mix(k) % BUCKETS, s = b % STRIPES;
  int found = 0;
  pthread_mutex_lock(&table.lock[s]);
  for (entry_t *e = table.bucket[b]; e; e = e->next)
    if (e->key == k) {
      *v = e->value;
      found = 1;
      break;
    }
  pthread_mutex_unlock(&table.lock[s]);
  return found;
}
static void *w(void *a) {
  uint64_t me = (uint64_t)(uintptr_t)a;
  put(me, me * 2);
  put(7, me);
  return NULL;
}
int main(void) {
  for (int i = 0; i < STRIPES; i++)
    pthread_mutex_init(&table.lock[i], NULL);
  pthread_t t[3];
  for (uintptr_t i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, w, (void *)i);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  uint64_t v;
  assert(get(1, &v) && v == 2);
  assert(get(7, &v) && v < 3);
  assert(table.count[0] + table.count[1] == 4);
  for (int b = 0; b < BUCKETS; b++)
    for (entry_t *e = table.bucket[b]; e;) {
      entry_t *n = e->next;
      free(e);
      e = n;
    }
}
