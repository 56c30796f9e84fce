// SPDX-License-Identifier: MIT
// A lock with a counter for each reader, which the writer looks at one by one.
// run: tso,rc11,imm,armv8 ok
// run: flags=-DWEAK tso error race
#include "ck_pr.h"

#include <assert.h>
#include <pthread.h>

struct reader {
  unsigned n_readers;
  struct reader *previous, *next;
};
struct brlock {
  struct reader *readers;
  unsigned writer;
};

static void brlock_write_lock(struct brlock *br) {
  struct reader *cursor;
  while (pr_fas_uint(&br->writer, true) == true) {
    while (pr_load_uint(&br->writer) == true)
      pr_stall();
  }
#ifndef WEAK
  pr_fence_memory();
#endif
  for (cursor = br->readers; cursor != NULL; cursor = cursor->next) {
    while (pr_load_uint(&cursor->n_readers) != 0)
      pr_stall();
  }
  pr_fence_lock();
}
static void brlock_write_unlock(struct brlock *br) {
  pr_fence_unlock();
  pr_store_uint(&br->writer, false);
}
static void brlock_read_lock(struct brlock *br, struct reader *reader) {
  if (reader->n_readers >= 1) {
    pr_store_uint(&reader->n_readers, reader->n_readers + 1);
    return;
  }
  for (;;) {
    while (pr_load_uint(&br->writer) == true)
      pr_stall();
    pr_store_uint(&reader->n_readers, 1);
#ifndef WEAK
    pr_fence_store_load();
#endif
    if (pr_load_uint(&br->writer) == false)
      break;
    pr_store_uint(&reader->n_readers, 0);
  }
  pr_fence_lock();
}
static void brlock_read_unlock(struct reader *reader) {
  pr_fence_unlock();
  pr_store_uint(&reader->n_readers, reader->n_readers - 1);
}

static struct brlock lock;
static struct reader readers[2];
static int a, b;

static void *reader(void *arg) {
  brlock_read_lock(&lock, arg);
  assert(a == b);
  brlock_read_unlock(arg);
  return NULL;
}
static void *writer(void *arg) {
  brlock_write_lock(&lock);
  a++;
  b++;
  brlock_write_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t t[3];
  readers[0].next = &readers[1];
  readers[1].previous = &readers[0];
  lock.readers = readers;
  pthread_create(&t[0], NULL, reader, &readers[0]);
  pthread_create(&t[1], NULL, reader, &readers[1]);
  pthread_create(&t[2], NULL, writer, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
