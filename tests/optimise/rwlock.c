// SPDX-License-Identifier: MIT
// Readers count themselves, a writer takes the whole count. WRITERS write both
// variables, READERS compare them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef READERS
#define READERS 1
#endif

enum { WRITER = 1 << 16 };
static atomic_int inside;
static int left, right;

static void read_lock(void) {
  for (;;) {
    while (atomic_load(&inside) >= WRITER)
      continue;
    if (atomic_fetch_add(&inside, 1) < WRITER)
      return;
    atomic_fetch_sub(&inside, 1);
  }
}

static void read_unlock(void) {
  atomic_fetch_sub(&inside, 1);
}

static void write_lock(void) {
  for (int free = 0; !atomic_compare_exchange_strong(&inside, &free, WRITER);
       free = 0)
    continue;
}

static void write_unlock(void) {
  atomic_fetch_sub(&inside, WRITER);
}

static void *writer(void *unused) {
  write_lock();
  left++;
  right++;
  write_unlock();
  return unused;
}

static void *reader(void *unused) {
  read_lock();
  assert(left == right);
  read_unlock();
  return unused;
}

int main(void) {
  pthread_t ids[WRITERS + READERS];
  for (int i = 0; i < WRITERS + READERS; i++)
    pthread_create(&ids[i], 0, i < WRITERS ? writer : reader, 0);
  for (int i = 0; i < WRITERS + READERS; i++)
    pthread_join(ids[i], 0);
  assert(left == WRITERS && right == WRITERS);
}
