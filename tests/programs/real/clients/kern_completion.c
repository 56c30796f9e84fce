// SPDX-License-Identifier: MIT
// Waits for a completion; lists of <sys/queue.h>, numbers of <linux/types.h>.
// run: sc,tso,rc11,imm,armv8 ok
#include <asm/types.h>
#include <assert.h>
#include <linux/types.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/queue.h>
typedef __u32 u32;
typedef __u64 u64;
struct waiter {
  TAILQ_ENTRY(waiter) link;
  bool woken;
  pthread_cond_t c;
};
struct completion {
  unsigned done;
  pthread_mutex_t lock;
  TAILQ_HEAD(, waiter) wait;
};
static struct completion comp = {0, PTHREAD_MUTEX_INITIALIZER,
                                 TAILQ_HEAD_INITIALIZER(comp.wait)};
static void complete(struct completion *x) {
  pthread_mutex_lock(&x->lock);
  x->done++;
  struct waiter *w = TAILQ_FIRST(&x->wait);
  if (w) {
    TAILQ_REMOVE(&x->wait, w, link);
    w->woken = true;
    pthread_cond_signal(&w->c);
  }
  pthread_mutex_unlock(&x->lock);
}
static void wait_for(struct completion *x) {
  pthread_mutex_lock(&x->lock);
  if (!x->done) {
    struct waiter w = {.c = PTHREAD_COND_INITIALIZER};
    TAILQ_INSERT_TAIL(&x->wait, &w, link);
    while (!w.woken)
      pthread_cond_wait(&w.c, &x->lock);
    pthread_cond_destroy(&w.c);
  }
  x->done--;
  pthread_mutex_unlock(&x->lock);
}
static u64 result;
static void *worker(void *a) {
  result = 42;
  complete(&comp);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  wait_for(&comp);
  assert(result == 42);
  pthread_join(t, 0);
}
