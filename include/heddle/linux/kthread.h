// SPDX-License-Identifier: MIT
// Threads of the kernel are threads of the program. kthread_stop() says that
// the thread should end, and waits for it.
#pragma once

#include <linux/err.h>
#include <linux/slab.h>
#include <pthread.h>

struct task_struct {
  pthread_t __id;
  int (*__function)(void *data);
  void *__data;
  int __result, __should_stop;
};

static __thread struct task_struct *__kthread_self;
#define current __kthread_self

static inline void *__kthread_start(void *given) {
  struct task_struct *task = (struct task_struct *)given;
  __kthread_self = task;
  task->__result = task->__function(task->__data);
  return NULL;
}

static inline struct task_struct *__kthread_run(int (*function)(void *data),
                                                void *data) {
  struct task_struct *task =
      (struct task_struct *)kzalloc(sizeof *task, GFP_KERNEL);
  task->__function = function;
  task->__data = data;
  if (!pthread_create(&task->__id, NULL, __kthread_start, task))
    return task;
  kfree(task);
  return (struct task_struct *)ERR_PTR(-EAGAIN);
}
#define kthread_run(function, data, ...) __kthread_run(function, data)

static inline bool kthread_should_stop(void) {
  return READ_ONCE(__kthread_self->__should_stop);
}

static inline int kthread_stop(struct task_struct *task) {
  WRITE_ONCE(task->__should_stop, 1);
  pthread_join(task->__id, NULL);
  int result = task->__result;
  kfree(task);
  return result;
}
