// SPDX-License-Identifier: MIT
// Attributes of threads. Only whether a thread is detached means something
// here; the others are kept for those who ask.
#include <pthread.h>
#include <sched.h>

// How pthread_attr_t is used.
struct attributes {
  int state, scope, inherit, policy, priority;
  size_t stack_size, guard_size;
  void *stack;
};
_Static_assert(sizeof(struct attributes) <= sizeof(pthread_attr_t), "room");

static struct attributes *of(pthread_attr_t *attr) {
  return (struct attributes *)attr;
}

static const struct attributes *of_const(const pthread_attr_t *attr) {
  return (const struct attributes *)attr;
}

int pthread_attr_init(pthread_attr_t *attr) {
  *of(attr) = (struct attributes){.state = PTHREAD_CREATE_JOINABLE,
                                  .stack_size = 8u << 20,
                                  .guard_size = 4096};
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr) {
  (void)attr;
  return 0;
}

#define ATTRIBUTE(name, type, member)                                          \
  int pthread_attr_set##name(pthread_attr_t *attr, type value) {               \
    of(attr)->member = value;                                                  \
    return 0;                                                                  \
  }                                                                            \
  int pthread_attr_get##name(const pthread_attr_t *attr, type *ret) {          \
    *ret = of_const(attr)->member;                                             \
    return 0;                                                                  \
  }
ATTRIBUTE(detachstate, int, state)
ATTRIBUTE(scope, int, scope)
ATTRIBUTE(inheritsched, int, inherit)
ATTRIBUTE(schedpolicy, int, policy)
ATTRIBUTE(stacksize, size_t, stack_size)
ATTRIBUTE(guardsize, size_t, guard_size)

int pthread_attr_setschedparam(pthread_attr_t *restrict attr,
                               const struct sched_param *restrict param) {
  of(attr)->priority = param->sched_priority;
  return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *restrict attr,
                               struct sched_param *restrict ret) {
  ret->sched_priority = of_const(attr)->priority;
  return 0;
}

// The thread has a stack of its own all the same.
int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size) {
  of(attr)->stack = stack;
  of(attr)->stack_size = size;
  return 0;
}

int pthread_attr_getstack(const pthread_attr_t *restrict attr,
                          void **restrict stack, size_t *restrict size) {
  *stack = of_const(attr)->stack;
  *size = of_const(attr)->stack_size;
  return 0;
}
