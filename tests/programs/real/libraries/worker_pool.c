// SPDX-License-Identifier: MIT
// A pool of workers of C11 threads: tasks in a list, condition variables, a
// future for each result, orderly shutdown.
// run: sc,rc11 ok
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <threads.h>

struct future {
  mtx_t lock;
  cnd_t done;
  bool is_done;
  int value;
};

struct task {
  int (*run)(int);
  int argument;
  struct future *future;
  struct task *next;
};

static struct {
  mtx_t lock;
  cnd_t more;
  struct task *first, **last;
  bool stop;
} pool;

static int work(void *unused) {
  (void)unused;
  for (;;) {
    mtx_lock(&pool.lock);
    while (!pool.first && !pool.stop)
      cnd_wait(&pool.more, &pool.lock);
    struct task *t = pool.first;
    if (!t) {
      mtx_unlock(&pool.lock);
      return 0;
    }
    pool.first = t->next;
    if (!pool.first)
      pool.last = &pool.first;
    mtx_unlock(&pool.lock);
    int value = t->run(t->argument);
    mtx_lock(&t->future->lock);
    t->future->value = value;
    t->future->is_done = true;
    cnd_broadcast(&t->future->done);
    mtx_unlock(&t->future->lock);
    free(t);
  }
}

static void submit(int (*run)(int), int argument, struct future *f) {
  struct task *t = malloc(sizeof *t);
  *t = (struct task){run, argument, f, NULL};
  mtx_init(&f->lock, mtx_plain);
  cnd_init(&f->done);
  f->is_done = false;
  mtx_lock(&pool.lock);
  *pool.last = t;
  pool.last = &t->next;
  cnd_signal(&pool.more);
  mtx_unlock(&pool.lock);
}

static int get(struct future *f) {
  mtx_lock(&f->lock);
  while (!f->is_done)
    cnd_wait(&f->done, &f->lock);
  int value = f->value;
  mtx_unlock(&f->lock);
  cnd_destroy(&f->done);
  mtx_destroy(&f->lock);
  return value;
}

static int square(int x) {
  return x * x;
}

int main(void) {
  thrd_t t[2];
  struct future f;
  mtx_init(&pool.lock, mtx_plain);
  cnd_init(&pool.more);
  pool.last = &pool.first;
  for (int i = 0; i < 2; i++)
    if (thrd_create(&t[i], work, NULL) != thrd_success)
      abort();
  submit(square, 7, &f);
  assert(get(&f) == 49);
  mtx_lock(&pool.lock);
  pool.stop = true;
  cnd_broadcast(&pool.more);
  mtx_unlock(&pool.lock);
  for (int i = 0; i < 2; i++)
    thrd_join(t[i], NULL);
  mtx_destroy(&pool.lock);
  cnd_destroy(&pool.more);
  return 0;
}
