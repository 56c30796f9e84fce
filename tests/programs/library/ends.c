// SPDX-License-Identifier: MIT
// What happens when a thread or the program ends: destructors of
// thread-specific data (again and again while they set values, up to a limit; in
// any order), cleanup handlers, exit handlers.
// run: flags=-DKEYS sc,rc11 ok 1
// run: flags=-DKEYS flags=-DEXIT sc,rc11 ok 1
// run: flags=-DC11 sc,rc11 ok 1
// run: flags=-DAGAIN sc,rc11 ok 1
// run: flags=-DORDER sc,rc11 ok 6
// run: flags=-DORDER flags=-DIN_ORDER sc,rc11 error assertion
// run: flags=-DCLEANUP sc,rc11 ok 1
// run: flags=-DAT_EXIT sc,rc11 error assertion
// run: flags=-DAT_EXIT flags=-DEXIT sc,rc11 error assertion
// run: flags=-DAT_EXIT flags=-DEXIT_EARLY sc,rc11 ok 1
// run: flags=-DMAIN_EXITS sc,rc11 ok 1
// run: flags=-DMAIN_EXITS flags=-DHANDLER=1 sc,rc11 incomplete
// run: flags=-DMAIN_EXITS flags=-DHANDLER=2 sc,rc11,armv8 incomplete
// run: flags=-DMAIN_EXITS flags=-DHANDLER=3 sc,rc11 incomplete
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static int destroyed, cleaned;

#if defined KEYS || defined AGAIN
static pthread_key_t key, other;

static void destroy(void *value) {
  assert(pthread_getspecific(key) == NULL);
  destroyed += *(int *)value;
  free(value);
#ifdef AGAIN
  int *more = malloc(sizeof *more);
  *more = 1;
  pthread_setspecific(key, more);
#endif
}

static void *thread(void *unused) {
  assert(pthread_getspecific(key) == NULL);
  int *value = malloc(sizeof *value);
  *value = 1;
  assert(pthread_setspecific(key, value) == 0);
  assert(pthread_setspecific(other, &destroyed) == 0);
  assert(pthread_getspecific(key) == value);
#ifdef EXIT
  pthread_exit(unused);
#endif
  return unused;
}

int main(void) {
  pthread_t id;
  assert(pthread_key_create(&key, destroy) == 0);
  assert(pthread_key_create(&other, NULL) == 0);
  pthread_create(&id, NULL, thread, NULL);
  pthread_join(id, NULL);
#ifdef AGAIN
  assert(destroyed == PTHREAD_DESTRUCTOR_ITERATIONS);
#else
  assert(destroyed == 1);
#endif
  assert(pthread_getspecific(key) == NULL);
  pthread_key_delete(key);
}

#elif defined C11
static tss_t key;

static void destroy(void *value) {
  destroyed += *(int *)value;
}

static int thread(void *value) {
  assert(tss_get(key) == NULL);
  assert(tss_set(key, value) == thrd_success);
  assert(tss_get(key) == value);
  return 7;
}

int main(void) {
  thrd_t id;
  static int one = 1;
  int result;
  assert(tss_create(&key, destroy) == thrd_success);
  assert(thrd_create(&id, thread, &one) == thrd_success);
  assert(thrd_join(id, &result) == thrd_success && result == 7);
  assert(destroyed == 1);
  tss_delete(key);
}

#elif defined ORDER
static pthread_key_t keys[3];
static int order;

static void destroy(void *digit) {
  order = order * 10 + *(int *)digit;
}

static void *thread(void *unused) {
  static int digits[] = {1, 2, 3};
  for (int i = 0; i < 3; i++)
    pthread_setspecific(keys[i], &digits[i]);
  return unused;
}

int main(void) {
  pthread_t id;
  for (int i = 0; i < 3; i++)
    pthread_key_create(&keys[i], destroy);
  pthread_create(&id, NULL, thread, NULL);
  pthread_join(id, NULL);
#ifdef IN_ORDER
  assert(order == 123); // BUG
#endif
  assert(order / 100 + order / 10 % 10 + order % 10 == 6);
}

#elif defined CLEANUP
static void add(void *digit) {
  cleaned = cleaned * 10 + (int)(long)digit;
}

static void *thread(void *unused) {
  pthread_cleanup_push(add, (void *)1);
  pthread_cleanup_push(add, (void *)2);
  pthread_cleanup_push(add, (void *)3);
  pthread_cleanup_pop(0);
  pthread_cleanup_push(add, (void *)4);
  pthread_cleanup_pop(1);
  pthread_exit(unused);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, thread, NULL);
  pthread_join(id, NULL);
  assert(cleaned == 421);
}

#elif defined AT_EXIT
static int order;

static void last(void) {
  assert(order == 1);
  assert(!"the first handler runs last"); // BUG
}

static void first(void) {
  order = 1;
}

int main(void) {
  atexit(last);
  atexit(first);
#ifdef EXIT
  exit(0);
#elif defined EXIT_EARLY
  _Exit(0);
#endif
  return 0;
}

#elif defined MAIN_EXITS
// 1: registered by main; 2: by the thread; 3: by its attribute
#if HANDLER == 3
__attribute__((destructor))
#endif
static void
look(void) {
  assert(!cleaned); // fails, if it runs
}

static void *thread(void *unused) {
  cleaned = 1;
#if HANDLER == 2
  atexit(look);
#endif
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, thread, NULL);
  pthread_detach(id);
#if HANDLER == 1
  atexit(look);
#else
  (void)look;
#endif
  pthread_exit(NULL);
}
#endif
