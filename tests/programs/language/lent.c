// SPDX-License-Identifier: MIT
// Memory of a function that another thread is lent: arrays whose size or place
// the function decides when it runs, in a loop and behind a branch, and a
// parameter that is a structure. It ends with the function, not before; and
// functions that Heddle has built in, called by a pointer.
// expect: rc11 ok 1
// run: flags=-DLATE rc11 error free-race
// run: flags=-DPARAMETER rc11 error use-after-free
// run: flags=-DRACE rc11 error race
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct job {
  int from, to;
  int *sum;
};

static int *kept;
static pthread_t last;

static void *count(void *arg) {
  struct job *j = arg;
  for (int i = j->from; i < j->to; i++)
    *j->sum += i; // BUG
  return NULL;
}

static void run(struct job *j) {
  pthread_t t;
  pthread_create(&t, NULL, count, j);
#ifdef RACE
  *j->sum = 5; // BUG
#endif
  pthread_join(t, NULL);
}

// The loop makes an object each time, which is there until the return.
static int in_loop(int n) {
  int total = 0;
  int *first = NULL;
  for (int i = 1; i <= n; i++) {
    struct job *j = alloca(sizeof *j);
    int *sum = alloca((size_t)i * sizeof *sum);
    sum[i - 1] = 0;
    *j = (struct job){0, i + 1, &sum[i - 1]};
    run(j);
    total += sum[i - 1];
    if (first)
      assert(*first == 1);
    else
      first = sum;
  }
  return total;
}

static int with_array(int n) {
  int sums[n];
  if (n > 2) {
    struct job jobs[n - 1];
    sums[n - 1] = 0;
    jobs[1] = (struct job){0, n, &sums[n - 1]};
    run(&jobs[1]);
  } else {
    sums[n - 1] = -1;
  }
  return sums[n - 1];
}

// The parameter is the function's own: the caller's stays as it is.
static int by_value(struct job j) {
  int sum = 0;
  j.sum = &sum;
  run(&j);
#ifdef PARAMETER
  kept = &sum;
#endif
  return sum;
}

static void *store(void *arg) {
  *kept = 1; // BUG
  return arg;
}

static void lend_and_leave(int n) {
  int values[n];
  values[0] = 0;
  kept = values;
  pthread_create(&last, NULL, store, NULL);
#ifndef LATE
  pthread_join(last, NULL);
#endif
}

int main(void) {
  void *(*get)(size_t) = malloc;
  void (*give)(void *) = free;
  void *(*set)(void *, int, size_t) = memset;
  int *cell = get(sizeof *cell);
  set(cell, 0, sizeof *cell);
  struct job job = {1, 3, cell};
  assert(in_loop(3) == 1 + 3 + 6);
  assert(with_array(3) == 3 && with_array(2) == -1);
  assert(by_value(job) == 3 && job.sum == cell && *cell == 0);
#ifdef PARAMETER
  *kept = 1; // BUG
#endif
  lend_and_leave(2);
#ifdef LATE
  pthread_join(last, NULL);
#endif
  give(cell);
  return 0;
}
