// SPDX-License-Identifier: MIT
// The compiler's own setjmp and longjmp: back out of nested calls, several
// times, in two threads at once. GONE: back into a function that has returned.
// run: sc,rc11 ok 2
// run: flags=-DGONE rc11 error bad-argument
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tries;

static void leave(void **place, int depth) {
  if (depth > 0)
    leave(place, depth - 1);
  atomic_fetch_add_explicit(&tries, 1, memory_order_relaxed);
  __builtin_longjmp(place, 1);
}

static void *work(void *argument) {
  void *place[5];
  int depth = *(int *)argument;
  volatile int seen = 0;
  if (__builtin_setjmp(place) == 0)
    seen = depth;
  else
    seen++;
  if (seen == depth)
    leave(place, depth);
  assert(seen == depth + 1);
  return argument;
}

static void *kept[5];

static __attribute__((noinline)) void set(void) {
  assert(__builtin_setjmp(kept) == 0);
}

int main(void) {
#ifdef GONE
  set();
  __builtin_longjmp(kept, 1);
#else
  (void)set;
#endif
  static int one = 1, three = 3;
  pthread_t t;
  pthread_create(&t, NULL, work, &three);
  work(&one);
  pthread_join(t, NULL);
  assert(tries == 2);
  return 0;
}
