// SPDX-License-Identifier: MIT
// How a thread ends: cleanup handlers (after pthread_exit), then destructors of
// thread-specific data, which is private memory of the thread.
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "sync.h"

// -- thread-specific data

static unsigned key_count;
static void (*destructors[PTHREAD_KEYS_MAX])(void *);
static _Thread_local void *values[PTHREAD_KEYS_MAX];

int key_create(unsigned *ret, void (*destructor)(void *)) {
  unsigned key = __atomic_fetch_add(&key_count, 1, __ATOMIC_RELAXED);
  if (key >= PTHREAD_KEYS_MAX)
    return EAGAIN;
  if (destructor)
    __atomic_store_n(&destructors[key], destructor, __ATOMIC_RELEASE);
  *ret = key;
  return 0;
}

void key_delete(unsigned key) {
  if (key < PTHREAD_KEYS_MAX)
    __atomic_store_n(&destructors[key], NULL, __ATOMIC_RELEASE);
}

void *key_get(unsigned key) {
  return key < PTHREAD_KEYS_MAX ? values[key] : NULL;
}

int key_set(unsigned key, void *value) {
  if (key >= PTHREAD_KEYS_MAX)
    return EINVAL;
  values[key] = value;
  return 0;
}

struct ending {
  unsigned key;
  void (*run)(void *);
};

// The values that have a destructor; the others are forgotten.
static int find_endings(struct ending *ret) {
  int n = 0;
  for (unsigned key = 0; key < PTHREAD_KEYS_MAX; key++) {
    if (!values[key])
      continue;
    void (*run)(void *) = __atomic_load_n(&destructors[key], __ATOMIC_ACQUIRE);
    if (run)
      ret[n++] = (struct ending){key, run};
    else
      values[key] = NULL;
  }
  return n;
}

static void run_destructor(const struct ending *e) {
  void *value = values[e->key];
  values[e->key] = NULL;
  if (value) // another destructor may have taken it
    e->run(value);
}

// POSIX leaves open in which order destructors run, so each order is tried. A
// destructor may set values again; after some rounds that is ignored.
static void run_destructors(void) {
  struct ending left[PTHREAD_KEYS_MAX];
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
    int n = find_endings(left);
    if (n == 0)
      return;
    while (n > 0) {
      long next = n > 1 ? __heddle_choose(0, n - 1) : 0;
      run_destructor(&left[next]);
      left[next] = left[--n];
    }
  }
}

// -- thread-local objects of C++

enum { MAX_OBJECTS = 16 };
static _Thread_local struct {
  void (*destroy)(void *);
  void *object;
} objects[MAX_OBJECTS];
static _Thread_local int object_count;

int __cxa_thread_atexit(void (*destroy)(void *), void *object, void *library);
int __cxa_thread_atexit(void (*destroy)(void *), void *object, void *library) {
  (void)library;
  if (object_count == MAX_OBJECTS)
    __heddle_limit("more than 16 thread-local objects with destructors");
  objects[object_count].destroy = destroy;
  objects[object_count++].object = object;
  return 0;
}

void destroy_thread_objects(void) {
  while (object_count > 0) {
    object_count--;
    objects[object_count].destroy(objects[object_count].object);
  }
}

_Noreturn void end_thread(void *result, int is_early) {
  destroy_thread_objects();
  run_destructors();
  if (is_early && __heddle_self() == 0)
    main_leaves();
  __heddle_thread_exit(result, is_early);
}

_Noreturn void leave_thread(void *result) {
  if (exception_force)
    exception_force(result);
  end_thread(result, /*is_early=*/1);
}

// The interpreter calls this when the first function of a thread returns. For
// main that is like exit, except that the other threads go on, as far as they
// do not wait (Heddle explores them to their end).
_Noreturn void __heddle_on_return(void *result);
_Noreturn void __heddle_on_return(void *result) {
  if (__heddle_self() != 0)
    end_thread(result, /*is_early=*/0);
  destroy_thread_objects();
  run_exit_handlers((int)(long)result);
  __heddle_thread_exit(result, /*is_early=*/0);
}

// -- cleanup handlers

enum { MAX_CLEANUPS = 8 };
static _Thread_local struct {
  void (*run)(void *);
  void *argument;
} cleanups[MAX_CLEANUPS];
static _Thread_local int cleanup_count;

void __heddle_cleanup_push(void (*run)(void *), void *argument) {
  if (cleanup_count == MAX_CLEANUPS)
    __heddle_limit("more than 8 nested cleanup handlers");
  cleanups[cleanup_count].run = run;
  cleanups[cleanup_count++].argument = argument;
}

void __heddle_cleanup_pop(int execute) {
  cleanup_count--;
  if (execute)
    cleanups[cleanup_count].run(cleanups[cleanup_count].argument);
}

void pthread_exit(void *result) {
  while (cleanup_count > 0)
    __heddle_cleanup_pop(/*execute=*/1);
  leave_thread(result);
}
