// SPDX-License-Identifier: MIT
// One lock and one condition; it is over when all workers wait.
#include "parallel/queue.h"

void queue_init(struct queue *p, unsigned workers) {
  *p = (struct queue){.workers = workers};
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->changed, NULL);
}

void queue_done(struct queue *p) {
  while (p->ready.len)
    explore_task_free(array_pop(&p->ready));
  array_done(&p->ready);
  pthread_cond_destroy(&p->changed);
  pthread_mutex_destroy(&p->lock);
}

// With the lock held, after `idle` or `ready` changed.
static void update_hunger(struct queue *p) {
  atomic_store_explicit(&p->is_hungry, p->idle > p->ready.len,
                        memory_order_relaxed);
}

// The last worker that comes back ends the gathering.
static void end_gathering(struct queue *p) {
  p->gathered(p->arg);
  atomic_store_explicit(&p->is_gathering, false, memory_order_relaxed);
  pthread_cond_broadcast(&p->changed);
}

static bool must_wait(struct queue *p) {
  if (queue_is_gathering(p) && p->idle == p->workers && !queue_is_stopped(p))
    end_gathering(p);
  return !queue_is_stopped(p) && p->idle < p->workers &&
         (!p->ready.len || queue_is_gathering(p));
}

struct explore_task *queue_take(struct queue *p) {
  struct explore_task *t = NULL;
  pthread_mutex_lock(&p->lock);
  p->idle++;
  update_hunger(p);
  while (must_wait(p))
    pthread_cond_wait(&p->changed, &p->lock);
  if (p->ready.len && !queue_is_stopped(p)) {
    t = array_pop(&p->ready);
    p->idle--;
    update_hunger(p);
  } else {
    pthread_cond_broadcast(&p->changed); // the last one tells the others
  }
  pthread_mutex_unlock(&p->lock);
  return t;
}

void queue_put(struct queue *p, struct explore_task *t) {
  pthread_mutex_lock(&p->lock);
  array_push(&p->ready, t);
  update_hunger(p);
  pthread_cond_signal(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

void queue_leave(struct queue *p) {
  pthread_mutex_lock(&p->lock);
  p->workers--;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

void queue_gather(struct queue *p) {
  atomic_store_explicit(&p->is_gathering, true, memory_order_relaxed);
}

void queue_stop(struct queue *p) {
  pthread_mutex_lock(&p->lock);
  atomic_store_explicit(&p->is_stopped, true, memory_order_relaxed);
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}
