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
  explore_task_free(p->last);
  array_done(&p->ready);
  array_done(&p->held);
  pthread_cond_destroy(&p->changed);
  pthread_mutex_destroy(&p->lock);
}

// With the lock held, after `idle` or `ready` changed.
static void update_hunger(struct queue *p) {
  atomic_store_explicit(&p->is_hungry, p->idle + p->wanted > p->ready.len,
                        memory_order_relaxed);
}

// With the lock held. Who stands by works on, even if others look first.
static void go_on(struct queue *p) {
  atomic_store_explicit(&p->is_gathering, false, memory_order_relaxed);
  check(p->held.len <= p->idle);
  p->idle -= p->held.len;
  p->held.len = 0;
  update_hunger(p);
  pthread_cond_broadcast(&p->changed);
}

// The last worker that comes back ends the gathering.
static void end_gathering(struct queue *p) {
  p->gathered(p->arg);
  go_on(p);
}

static void begin_last(struct queue *p) {
  if (!p->last)
    return;
  array_push(&p->ready, p->last);
  p->last = NULL;
  pthread_cond_broadcast(&p->changed);
}

static bool must_wait(struct queue *p) {
  if (queue_is_gathering(p) && p->idle == p->workers && !queue_is_stopped(p))
    end_gathering(p);
  if (!p->ready.len && p->idle == p->workers && !queue_is_stopped(p))
    begin_last(p);
  return !queue_is_stopped(p) && p->idle < p->workers &&
         (!p->ready.len || queue_is_gathering(p));
}

struct explore_task *queue_take(struct queue *p) {
  struct explore_task *t = NULL;
  pthread_mutex_lock(&p->lock);
  p->idle++;
  check(p->idle <= p->workers);
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

bool queue_stand_by(struct queue *p, const struct explore_task *held) {
  pthread_mutex_lock(&p->lock);
  if (queue_is_gathering(p) && !queue_is_stopped(p)) {
    array_push(&p->held, held);
    p->idle++;
    check(p->idle <= p->workers);
  }
  while (queue_is_gathering(p) && !queue_is_stopped(p)) {
    if (p->idle == p->workers)
      end_gathering(p);
    else
      pthread_cond_wait(&p->changed, &p->lock);
  }
  bool ret = !queue_is_stopped(p);
  for (uint32_t i = 0; i < p->held.len; i++) // it was stopped meanwhile
    if (p->held.at[i] == held) {
      p->held.at[i] = array_pop(&p->held);
      p->idle--;
    }
  pthread_mutex_unlock(&p->lock);
  return ret;
}

void queue_put(struct queue *p, struct explore_task *t) {
  pthread_mutex_lock(&p->lock);
  // Who puts it is not idle: else the search may be over without it.
  check(p->idle < p->workers || queue_is_stopped(p));
  array_push(&p->ready, t);
  update_hunger(p);
  pthread_cond_signal(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

void queue_put_last(struct queue *p, struct explore_task *t) {
  check(!p->last);
  p->last = t;
}

struct explore_task *queue_take_last(struct queue *p) {
  struct explore_task *t = p->last;
  p->last = NULL;
  return t;
}

void queue_begin_last(struct queue *p) {
  pthread_mutex_lock(&p->lock);
  begin_last(p);
  pthread_mutex_unlock(&p->lock);
}

void queue_leave(struct queue *p) {
  pthread_mutex_lock(&p->lock);
  check(p->idle < p->workers);
  p->workers--;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

void queue_hold(struct queue *p) {
  p->workers++;
}

bool queue_is_quiet(struct queue *p) {
  pthread_mutex_lock(&p->lock);
  bool ret = p->idle + 1 == p->workers &&
             (!p->ready.len || queue_is_gathering(p) || queue_is_stopped(p));
  pthread_mutex_unlock(&p->lock);
  return ret;
}

void queue_go_on(struct queue *p) {
  pthread_mutex_lock(&p->lock);
  go_on(p);
  pthread_mutex_unlock(&p->lock);
}

void queue_want(struct queue *p, unsigned tasks) {
  pthread_mutex_lock(&p->lock);
  p->wanted = tasks;
  update_hunger(p);
  pthread_mutex_unlock(&p->lock);
}

struct explore_task *queue_take_largest(struct queue *p) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < p->ready.len; i++)
    if (!explore_task_finds_cores(p->ready.at[i]) &&
        (best == UINT32_MAX ||
         p->ready.at[i]->path.len < p->ready.at[best]->path.len))
      best = i;
  if (best == UINT32_MAX)
    return NULL;
  struct explore_task *t = p->ready.at[best];
  p->ready.at[best] = array_pop(&p->ready);
  return t;
}

struct explore_task *queue_take_outside(struct queue *p) {
  struct explore_task *t = NULL;
  pthread_mutex_lock(&p->lock);
  if (p->ready.len > p->idle)
    t = queue_take_largest(p);
  update_hunger(p);
  pthread_mutex_unlock(&p->lock);
  return t;
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
