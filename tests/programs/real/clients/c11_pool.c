// SPDX-License-Identifier: MIT
// A pool of two threads with jobs in a list.
// run: sc,rc11 ok
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
typedef int (*job_fn)(void *);
typedef struct job {
  job_fn fn;
  void *arg;
  struct job *next;
} job;
static struct {
  mtx_t lock;
  cnd_t more, idle;
  job *head, **tail;
  int busy, stop;
  thrd_t th[2];
} pool;
static int worker(void *unused) {
  (void)unused;
  mtx_lock(&pool.lock);
  for (;;) {
    while (!pool.head && !pool.stop)
      cnd_wait(&pool.more, &pool.lock);
    if (!pool.head)
      break;
    job *j = pool.head;
    if (!(pool.head = j->next))
      pool.tail = &pool.head;
    pool.busy++;
    mtx_unlock(&pool.lock);
    j->fn(j->arg);
    free(j);
    mtx_lock(&pool.lock);
    if (--pool.busy == 0 && !pool.head)
      cnd_broadcast(&pool.idle);
  }
  mtx_unlock(&pool.lock);
  return thrd_success;
}
static void submit(job_fn f, void *a) {
  job *j = malloc(sizeof *j);
  *j = (job){f, a, NULL};
  mtx_lock(&pool.lock);
  *pool.tail = j;
  pool.tail = &j->next;
  cnd_signal(&pool.more);
  mtx_unlock(&pool.lock);
}
static _Atomic int total;
static int add(void *a) {
  total += *(int *)a;
  return 0;
}
int main(void) {
  static int n[2] = {1, 2};
  if (mtx_init(&pool.lock, mtx_plain) != thrd_success || cnd_init(&pool.more) ||
      cnd_init(&pool.idle))
    return EXIT_FAILURE;
  pool.tail = &pool.head;
  for (int i = 0; i < 2; i++)
    if (thrd_create(&pool.th[i], worker, NULL) != thrd_success)
      abort();
  for (int i = 0; i < 2; i++)
    submit(add, &n[i]);
  mtx_lock(&pool.lock);
  while (pool.head || pool.busy)
    cnd_wait(&pool.idle, &pool.lock);
  pool.stop = 1;
  cnd_broadcast(&pool.more);
  mtx_unlock(&pool.lock);
  for (int i = 0; i < 2; i++) {
    int r;
    thrd_join(pool.th[i], &r);
    assert(r == thrd_success);
  }
  assert(total == 3);
  cnd_destroy(&pool.more);
  cnd_destroy(&pool.idle);
  mtx_destroy(&pool.lock);
  return 0;
}
