// SPDX-License-Identifier: MIT
// A mutex of three states on a futex, and an event that threads wait for. A
// wake that is left out, or one that comes before the word changes, is a
// deadlock. Timed waits may give up.
// run: flags=-DMUTEX all ok
// run: flags=-DMUTEX flags=-DNO_WAKE all error deadlock
// run: flags=-DEVENT sc ok 4
// run: flags=-DEVENT flags=-DTHREADS=2 all ok
// run: flags=-DEVENT flags=-DTHREADS=2 flags=-DWAKE=1 all error deadlock
// run: flags=-DEVENT flags=-DEARLY all error deadlock
// run: flags=-DTIMED all ok
// run: flags=-DREQUEUE all ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef THREADS
#define THREADS 1
#endif
#ifndef WAKE
#define WAKE INT_MAX
#endif

static atomic_int word, other;
static int data;

static long futex(atomic_int *at, int op, int value,
                  const struct timespec *timeout) {
  return syscall(SYS_futex, at, op | FUTEX_PRIVATE_FLAG, value, timeout, NULL,
                 0);
}

#ifdef MUTEX
static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&word, &seen, 1))
    return;
  while (atomic_exchange(&word, 2) != 0)
    futex(&word, FUTEX_WAIT, 2, NULL);
}

static void unlock(void) {
#ifdef NO_WAKE
  atomic_store(&word, 0);
#else
  if (atomic_exchange(&word, 0) == 2)
    futex(&word, FUTEX_WAKE, 1, NULL);
#endif
}

static void *thread(void *arg) {
  lock();
  data++;
  unlock();
  return arg;
}

static void work(void) {
  thread(NULL);
}

static void check_end(void) {
  assert(data == 2);
}
#elif defined EVENT
static void *thread(void *arg) {
  while (atomic_load(&word) == 0)
    futex(&word, FUTEX_WAIT, 0, NULL);
  assert(data == 1);
  return arg;
}

static void work(void) {
  data = 1;
#ifdef EARLY
  futex(&word, FUTEX_WAKE, WAKE, NULL);
  atomic_store(&word, 1);
#else
  atomic_store(&word, 1);
  futex(&word, FUTEX_WAKE, WAKE, NULL);
#endif
}

static void check_end(void) {}
#elif defined TIMED
static void *thread(void *arg) {
  struct timespec soon = {1, 0};
  long r = futex(&word, FUTEX_WAIT, 0, &soon);
  assert(r == 0 || errno == ETIMEDOUT || errno == EAGAIN);
  return arg;
}

static void work(void) {
  atomic_store(&word, 1);
}

static void check_end(void) {}
#else
// One wake moves the waiter over, the other one finds it there.
static void *thread(void *arg) {
  futex(&word, FUTEX_WAIT, 0, NULL);
  return arg;
}

static void work(void) {
  long moved = 0;
  while (moved == 0)
    moved = syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 0, 1, &other, 0);
  assert(moved == 1);
  assert(futex(&word, FUTEX_WAKE, 1, NULL) == 0);
  assert(futex(&other, FUTEX_WAKE, 1, NULL) == 1);
}

static void check_end(void) {}
#endif

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, thread, NULL);
  work();
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  check_end();
  return 0;
}
