// SPDX-License-Identifier: MIT
// Undefined bits stay undefined on their way through shared memory, copies and
// threads, one by one: what was computed from them must not decide anything,
// and what stands beside them may.
// run: flags=-DUSE=int*p;free(p) sc,rc11 error uninitialized
// run: flags=-DUSE=flag=*heap>3;if(flag)x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=flag=*heap==3;if(flag)x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=atomic_store(&word,*heap&1);if(atomic_load(&word))x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=atomic_store(&word,*heap&1);if(atomic_load(&word)&2)x=1 sc,rc11 ok
// run: flags=-DUSE=bits->a=1;if(bits->b)x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=bits->a=1;if(bits->a)x=1 sc,rc11 ok
// run: flags=-DUSE=bits->b=2;copy=*bits;if(copy.b==2)x=1 sc,rc11 ok
// run: flags=-DUSE=bits->b=2;copy=*bits;if(copy.a)x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=bits->b=2;shared=*bits;if(shared.a)x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=half(&both);if(both>>32)x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=half(&both);if((int)both==7)x=1 sc,rc11 ok
// run: flags=-DUSE=half(&both);if(both==7)x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=half(&both);if(both==8)x=1 sc,rc11 ok
// run: flags=-DUSE=atomic_store(&word,*heap&6);if(won(0))x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=atomic_store(&word,*heap&6);if(won(1))x=1 sc,rc11 ok
// run: flags=-DUSE=if(through_thread(*heap&1))x=1 sc,rc11 error uninitialized
// run: flags=-DUSE=if(through_thread(*heap&1)&4)x=1 sc,rc11 ok
// run: flags=-DUSE=exit(*heap) sc,rc11 error uninitialized
// run: flags=-DUSE=show(*number) sc,rc11 error uninitialized
// run: args=--disable args=uninitialized flags=-DUSE=atomic_store(&word,*heap+4);assert(won(4)) sc,rc11 ok
#include "../common.h"

#include <stdio.h>
#include <string.h>

struct bits {
  unsigned a : 3, b : 5;
};

static int x;
static bool flag;
static atomic_int word;
static long both;
static struct bits shared;

// The upper half of *out is undefined.
static inline void half(long *out) {
  union {
    long all;
    int low;
  } u;
  u.low = 7;
  *out = u.all;
}

static inline int won(int expected) {
  return atomic_compare_exchange_strong(&word, &expected, 5); // BUG
}

static inline void show(double d) {
  printf("%f", d); // BUG
}

static void *same(void *p) {
  return p;
}

static inline long through_thread(long value) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, same, (void *)value);
  pthread_join(t, &result);
  return (long)result;
}

int main(void) {
  int *heap = malloc(sizeof *heap);
  double *number = malloc(sizeof *number);
  struct bits *bits = malloc(sizeof *bits), copy = {0};
  USE; // BUG
  free(heap);
  free(number);
  free(bits);
  (void)copy;
  (void)x;
  return 0;
}
