// SPDX-License-Identifier: MIT
// The end of the program.
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "sync.h"

void abort(void) {
  __heddle_abort();
}

// Atomics keep the registration of handlers free of races: any thread may
// register, and exit runs those whose registration it sees.
enum { MAX_HANDLERS = 256 };
static _Atomic(void (*)(int, void *)) handlers[MAX_HANDLERS];
static _Atomic(void *) arguments[MAX_HANDLERS];
static atomic_uint handler_count;

// When main leaves by pthread_exit, these run after the last thread. That is
// not explored: which thread is the last? It is said then; also if a thread
// registers one so late that main did not know.
extern const int __heddle_has_destructors, __heddle_mentions_atexit,
    __heddle_mentions_on_exit, __heddle_mentions___cxa_atexit,
    __heddle_mentions_pthread_exit, __heddle_mentions_thrd_exit;
static atomic_int main_has_left;

static _Noreturn void refuse(void) {
  __heddle_limit("main ends by pthread_exit, and what is to run at exit runs "
                 "after the last thread then");
}

void main_leaves(void) {
  if (__heddle_has_destructors)
    refuse();
  if (!__heddle_mentions_atexit && !__heddle_mentions_on_exit &&
      !__heddle_mentions___cxa_atexit)
    return;
  atomic_store(&main_has_left, 1);
  if (atomic_load(&handler_count))
    refuse();
}

static void look_for_main(void) {
  if ((__heddle_mentions_pthread_exit || __heddle_mentions_thrd_exit) &&
      __heddle_self() != 0 && atomic_load(&main_has_left))
    refuse();
}

int on_exit(void (*handler)(int status, void *argument), void *argument) {
  unsigned slot = atomic_fetch_add(&handler_count, 1);
  if (slot >= MAX_HANDLERS)
    __heddle_limit("more than 256 handlers given to atexit and on_exit");
  atomic_store(&arguments[slot], argument);
  atomic_store(&handlers[slot], handler);
  look_for_main();
  return 0;
}

// A handler without arguments is the argument.
static void run_plain(int status, void *handler) {
  (void)status;
  ((void (*)(void))handler)();
}

int atexit(void (*handler)(void)) {
  return on_exit(run_plain, (void *)handler);
}

// Destructors of static objects of C++: the handler gets its slot, where the
// object is.
static _Atomic(void (*)(void *)) destroyers[MAX_HANDLERS];
static _Atomic(void *) objects[MAX_HANDLERS];
static atomic_uint object_count;
const char __dso_handle;

static void destroy(int status, void *slot) {
  (void)status;
  void (*run)(void *) = atomic_load(&destroyers[(size_t)slot]);
  run(atomic_load(&objects[(size_t)slot]));
}

int __cxa_atexit(void (*run)(void *), void *object, void *library);
int __cxa_atexit(void (*run)(void *), void *object, void *library) {
  (void)library;
  size_t slot = atomic_fetch_add(&object_count, 1);
  if (slot >= MAX_HANDLERS)
    __heddle_limit("more than 256 static objects with destructors");
  atomic_store(&objects[slot], object);
  atomic_store(&destroyers[slot], run);
  return on_exit(destroy, (void *)slot);
}

// The functions with the attribute destructor; the front end makes it.
void __heddle_run_destructors(void);

void run_exit_handlers(int status) {
  for (unsigned i = atomic_load(&handler_count); i-- > 0;) {
    void (*handler)(int, void *) = atomic_load(&handlers[i]);
    if (handler)
      handler(status, atomic_load(&arguments[i]));
  }
  __heddle_run_destructors();
}

static _Atomic(void (*)(void)) quick_handlers[MAX_HANDLERS];
static atomic_uint quick_count;

int at_quick_exit(void (*handler)(void)) {
  unsigned slot = atomic_fetch_add(&quick_count, 1);
  if (slot >= MAX_HANDLERS)
    __heddle_fail(FIND_BAD_ARGUMENT,
                  "more than 256 handlers given to at_quick_exit");
  atomic_store(&quick_handlers[slot], handler);
  return 0;
}

void quick_exit(int status) {
  for (unsigned i = atomic_load(&quick_count); i-- > 0;) {
    void (*handler)(void) = atomic_load(&quick_handlers[i]);
    if (handler)
      handler();
  }
  __heddle_exit(status);
}

extern const int __heddle_uses___cxa_thread_atexit;

void exit(int status) {
  if (__heddle_uses___cxa_thread_atexit)
    destroy_thread_objects();
  run_exit_handlers(status);
  __heddle_exit(status);
}

void _Exit(int status) {
  __heddle_exit(status);
}

void _exit(int status) {
  __heddle_exit(status);
}
