// SPDX-License-Identifier: MIT
// A check that is off, or only warns, hides what comes behind the place where it
// would have stopped a thread if nothing is defined there: the answer is
// incomplete then. Where the program has a meaning all the same, it goes on and
// the assertion fails.
// args: --disable leak
// run: args=--disable=null-pointer flags=-DDO=*nothing=1 sc,rc11,imm incomplete 0
// run: args=--warn=null-pointer flags=-DDO=*nothing=1 rc11 incomplete 0
// run: args=--disable=out-of-bounds flags=-DDO=array[two]=1 rc11 incomplete 0
// run: args=--disable=out-of-bounds flags=-DDO=heap[two]=1 rc11 incomplete 1
// run: args=--warn=out-of-bounds flags=-DDO=heap[two]=1 rc11 incomplete 1
// run: args=--disable=wild-pointer flags=-DDO=*wild=1 rc11 incomplete 0
// run: args=--disable=read-only flags=-DDO=*fixed=1 rc11 incomplete 0
// run: args=--disable=use-after-free flags=-DDO=used() rc11 incomplete 1
// run: args=--disable=double-free flags=-DDO=twice() rc11 incomplete 0
// run: args=--warn=double-free flags=-DDO=twice() rc11 incomplete 0
// run: args=--disable=invalid-free flags=-DDO=free(array) rc11 incomplete 0
// run: args=--disable=bad-call flags=-DDO=call() rc11 incomplete 0
// run: args=--disable=thread-misuse flags=-DDO=join_twice() rc11 incomplete 0
// run: args=--disable=bad-argument flags=-DDO=heddle_choose(1,0) rc11 incomplete 0
// run: args=--disable=unreachable flags=-DDO=heddle_unreachable() rc11 incomplete 0
// run: args=--disable=endless-loop flags=-DDO=for(;;){} rc11 incomplete 0
// run: args=--disable=destroy-held flags=-DDO=destroy() rc11 incomplete 0
// run: args=--disable=overflow flags=-DDO=sum(2147483647) flags=-DAFTER rc11 error assertion
// run: args=--disable=shift flags=-DDO=two<<=(two+40) flags=-DAFTER rc11 error assertion
// run: args=--disable=abort flags=-DDO=abort() rc11 incomplete 0
#include "../common.h"

static int array[2], two = 2;
static const int constant = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int sum(int n) {
  return n + two;
}

static void used(void) {
  int *p = malloc(4);
  free(p);
  *p = 1;
}

static void twice(void) {
  int *p = malloc(4);
  free(p);
  free(p);
}

static void call(void) {
  void (*f)(void) = NULL;
  f();
}

static void *nop(void *unused) {
  return unused;
}

static void join_twice(void) {
  pthread_t id;
  pthread_create(&id, NULL, nop, NULL);
  pthread_join(id, NULL);
  pthread_join(id, NULL);
}

static void destroy(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_destroy(&mutex);
}

int main(void) {
  int *nothing = NULL, *wild = (int *)0x123456789000, *fixed = (int *)&constant;
  int *heap = malloc(2 * sizeof *heap);
  DO;
  (void)nothing, (void)wild, (void)fixed, (void)heap, (void)array;
  (void)sum, (void)used, (void)twice, (void)call, (void)join_twice, (void)destroy;
#ifdef AFTER
  assert(!"it goes on"); // BUG
#endif
  return 0;
}
