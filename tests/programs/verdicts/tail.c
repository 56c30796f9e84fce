// SPDX-License-Identifier: MIT
// The end of an execution (explore/reduce/tail.c): threads end, main joins them and
// ends. Nothing of that is added to the graph if it goes well, so all that may
// go wrong with it must be seen without it (P). The first executions are looked
// at as a whole, so there are 99 of no interest before the others.
//
//  1  the threads' results are all 0
//  2  some are not, and main returns their sum
//  3  main fails with some of them, and with 0 it would do nothing
//  4  main does something else with some of them, which others see
//  5  a thread that was detached is joined
//  6  a thread detaches itself, and is joined
//  7  a thread is joined twice
//  8  a thread is joined by another one, and then by main
//  9  main joins itself
// 10  a thread ends by pthread_exit, with a result
// 11  a thread never gets the lock that another one took with it
// 12  the same, and nobody joins it
// 13  a thread waits for ever
// 14  an assumption of a thread does not hold
// 15  a thread calls exit
// 16  an assumption of a thread that nobody joins does not hold
// 17  as 1, and a thread is joined that was never created
// 18  as 5, with results that are all 0
// 19  as 6, with results that are all 0
// 20  the last write loses an object that was allocated
//
// run: flags=-DP=1 all ok 101
// run: flags=-DP=2 all ok 101
// run: flags=-DP=3 all error assertion
// run: flags=-DP=4 all ok 101
// run: flags=-DP=5 all error thread-misuse
// run: flags=-DP=6 all error thread-misuse
// run: flags=-DP=7 all error thread-misuse
// run: flags=-DP=8 all error thread-misuse
// run: flags=-DP=9 all error thread-misuse
// run: flags=-DP=10 all error assertion
// run: flags=-DP=11 all error deadlock
// run: flags=-DP=12 all ok 102
// run: flags=-DP=13 all error hang
// run: flags=-DP=14 all ok 100
// run: flags=-DP=15 all ok 102
// run: flags=-DP=16 all ok 100
// run: flags=-DP=17 all error thread-misuse
// run: flags=-DP=18 all error thread-misuse
// run: flags=-DP=19 all error thread-misuse
// run: flags=-DP=20 args=--error=leak all error leak
#include "../common.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;
static pthread_t joined;
static void *_Atomic object;

static void *first(void *unused) {
  (void)unused;
#if P == 11 || P == 12
  pthread_mutex_lock(&m);
#elif P == 15
  if (load(&y, rlx))
    exit(1);
#endif
  store(&x, 1, rlx);
#if P == 6 || P == 19
  pthread_detach(pthread_self());
#endif
  return NULL;
}

static void *second(void *unused) {
  (void)unused;
#if P == 8
  pthread_join(joined, NULL);
#elif P == 10
  pthread_exit((void *)(uintptr_t)load(&x, rlx));
#elif P == 11 || P == 12
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#elif P == 13
  while (load(&y, rlx) == 0)
    ;
#elif P == 15
  store(&y, 1, rlx);
#elif P == 14 || P == 16
  heddle_assume(load(&x, rlx) == 1);
#endif
#if P == 20
  store(&object, NULL, rlx);
#endif
  uintptr_t seen = (uintptr_t)load(&x, rlx);
  return (void *)(P > 16 ? 0 : seen);
}

int main(void) {
  pthread_t ids[2]; // nobody else sees them: main only joins
  void *one, *two;
  if (heddle_choose(0, 99) < 99)
    return 0;
#if P == 20
  store(&object, malloc(1), rlx);
#endif
  pthread_create(&ids[0], NULL, first, NULL);
#if P == 8
  joined = ids[0];
#endif
  pthread_create(&ids[1], NULL, second, NULL);
#if P == 5 || P == 18
  pthread_detach(ids[0]);
#elif P == 9
  pthread_join(pthread_self(), NULL);
#elif P == 12 || P == 16
  return 0;
#endif
  pthread_join(ids[0], &one);
  pthread_join(ids[1], &two);
#if P == 7
  pthread_join(ids[0], NULL);
#elif P == 17
  pthread_join(ids[0] + 2, NULL);
#elif P == 3 || P == 10
  assert(two == NULL);
#elif P == 4
  if (two)
    store(&y, 1, rlx);
#elif P == 2
  return (int)((uintptr_t)one + (uintptr_t)two);
#endif
  return 0;
}
