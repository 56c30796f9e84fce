// SPDX-License-Identifier: MIT
// The tasks that wait for a worker. A worker that has nothing to do makes the
// queue hungry; the others look at that now and then and give something away.
// So tasks are only cut off when they are wanted, and no explorer is ever
// touched by a thread other than its own.
#pragma once

#include "explore/explore.h"

#include <pthread.h>
#include <stdatomic.h>

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  ARRAY(struct explore_task *) ready;
  struct explore_task *last; // for when there is nothing else to do, or NULL
  ARRAY(const struct explore_task *) held; // by workers that stand by
  unsigned workers, idle;
  unsigned wanted;       // tasks that would be taken from outside
  atomic_bool is_hungry; // more of these and idle workers than ready tasks
  atomic_bool is_stopped;
  atomic_bool is_gathering;    // all workers are to bring back what they have;
  void (*gathered)(void *arg); // called, once they have, with the lock held
  void *arg;
};

void queue_init(struct queue *p, unsigned workers);
void queue_done(struct queue *p);

// Takes a task for the calling worker and owns it no more; waits for one. NULL
// when the search is over: the queue was stopped, or all workers want a task.
struct explore_task *queue_take(struct queue *p);
void queue_put(struct queue *p, struct explore_task *t);
// The same for one task that must wait for all others to be done. (With one
// outside, who has to say when that is so.)
void queue_put_last(struct queue *p, struct explore_task *t);
void queue_begin_last(struct queue *p);
// Alone. NULL: there is none.
struct explore_task *queue_take_last(struct queue *p);
// While all is gathered, waits with a task that is not to be begun anew. False:
// the search is over.
bool queue_stand_by(struct queue *p, const struct explore_task *held);
// One worker less than was said at first.
void queue_leave(struct queue *p);
// Ends the search: all workers are to stop.
void queue_stop(struct queue *p);

// One outside who may put something in, and take something out: it is
// not over until queue_stop, and a gathering ends with queue_go_on.
void queue_hold(struct queue *p);
// Do all workers wait?
bool queue_is_quiet(struct queue *p);
void queue_go_on(struct queue *p);
// So many tasks are wanted outside.
void queue_want(struct queue *p, unsigned tasks);
// One of them, if there are more than the workers wait for, or NULL: the one
// that is likely to be the largest. (Never the one that finds cores: rank 0,
// where that began, knows all threads.)
struct explore_task *queue_take_outside(struct queue *p);
// The task that is likely to be the largest, the one nearest to the root; with
// the lock held, or alone. NULL: there is none.
struct explore_task *queue_take_largest(struct queue *p);

// Asks all workers to put what they have into the queue, or to stand by, and to
// take it up again after `gathered`, which sees all that is left of the search
// in `ready` and `held`. It may set `is_stopped`.
void queue_gather(struct queue *p);
static inline bool queue_is_gathering(const struct queue *p) {
  return atomic_load_explicit(&p->is_gathering, memory_order_relaxed);
}
static inline bool queue_is_hungry(const struct queue *p) {
  return atomic_load_explicit(&p->is_hungry, memory_order_relaxed);
}
static inline bool queue_is_stopped(const struct queue *p) {
  return atomic_load_explicit(&p->is_stopped, memory_order_relaxed);
}
