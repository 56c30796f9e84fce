// SPDX-License-Identifier: MIT
// C that optimised libraries use here and there: division of 128-bit integers,
// atomic objects of three words or three bytes (a lock protects them), unions
// by value, arrays of variable length, setjmp without longjmp.
// run: flags=-DDIVISION all ok 1
// run: flags=-DLARGE all ok 3
// run: flags=-DODD all ok 2
// run: flags=-DVALUES all ok 1
// run: flags=-DBY_ZERO all error division-by-zero
// run: flags=-DTORN all error race
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

typedef unsigned __int128 wide;

static wide shift(int n) {
  return (wide)1 << n;
}

static void divide(void) {
  __int128 x = (__int128)shift(100) + 12345;
  assert(x / 3 * 3 + x % 3 == x && -x / 7 * 7 + -x % 7 == -x);
  assert((unsigned long)(shift(100) / shift(90)) == 1024);
  assert(-(__int128)shift(100) / (1 << 20) == -(__int128)shift(80));
  assert((__int128)-7 / 2 == -3 && (__int128)-7 % 2 == -1);
  wide large = ~(wide)0;
  assert(large / large == 1 && large % 10 == 5);
  assert(large / 1000000007u % 1000 == 597); // as Python says
}

struct three {
  long a, b, c;
};
static _Atomic struct three words;
static struct three plain;
struct odd {
  char c[3];
};
static _Atomic struct odd bytes;

static void *store_words(void *arg) {
  words = (struct three){1, 1, 1};
  return arg;
}

static void large(void) { // the store comes before, between, or after
  struct three r = words, zero = {0, 0, 0}, two = {2, 2, 2};
  assert(r.a == r.b && r.b == r.c);
  bool done = atomic_compare_exchange_strong(&words, &zero, two);
  assert(done || zero.c == 1);
  assert(!atomic_is_lock_free(&words));
}

static void *store_bytes(void *arg) {
  struct odd old = atomic_exchange(&bytes, ((struct odd){{1, 2, 3}}));
  assert(old.c[2] == 0);
  return arg;
}

static void odd(void) {
  struct odd r = bytes;
  assert((r.c[0] == 0 && r.c[2] == 0) || (r.c[0] == 1 && r.c[2] == 3));
}

static void *store_plain(void *arg) {
  plain = (struct three){1, 1, 1}; // BUG
  return arg;
}

static void torn(void) {
  struct three r = plain; // BUG
  assert(r.a == r.b);     // BUG
}

union number {
  int i;
  char text[12];
  double d;
};

static union number next(union number n) {
  n.i++;
  return n;
}

static jmp_buf back;

static int values(int n) {
  if (setjmp(back))
    return 0;
  int list[n];
  memset(list, 0, sizeof list);
  for (int i = 0; i < n; i++)
    list[i] = i;
  int *copy = alloca((size_t)n * sizeof *copy);
  memcpy(copy, list, (size_t)n * sizeof *copy);
  return next((union number){.i = copy[n - 1]}).i;
}

static void run(void *(*other)(void *), void (*self)(void)) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  self();
  pthread_join(t, NULL);
}

int main(void) {
#ifdef DIVISION
  divide();
#elif defined LARGE
  run(store_words, large);
#elif defined ODD
  run(store_bytes, odd);
#elif defined TORN
  run(store_plain, torn);
#elif defined VALUES
  assert(values(5) == 5);
#else
  wide zero = shift(1) - 2;
  return (int)(shift(70) / zero); // BUG
#endif
  return 0;
}
