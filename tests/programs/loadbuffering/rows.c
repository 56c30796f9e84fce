// SPDX-License-Identifier: MIT
// Small programs with load buffering that compute, compare and wait. All
// accesses are relaxed unless they say otherwise, and main only creates the
// threads. (tests/prop/xmm_rows.h has those that need no more than constants.)
//   1  LB+Wd+deps: a sum of two reads
//   2  java-test2: two reads of x that are the same
//   3  java-test8: 1 + a * a - a is 1 for 0 and for 1
//   4  java-test9: the same, and another thread writes 2
//   5  LB-DRF-SLI-Simpl: a condition on two reads
//   6  WMC-test1: the same with another condition
//   7  java-test14: a loop that waits for one of two
//   8  java-test15: the same with three threads
//   9  szymanski(ROUNDS): fences. The number for 2 is at least 2829, sound
//      ones that others have found; this is what it is by the search
//  10  a lock around the read of one thread does not keep its store behind
//  11  a mutex around all does
//  12  heap memory, through a pointer that another thread made
// run: flags=-DTEST=1 rc11,imm ok 6; xmm ok 7
// run: flags=-DTEST=2 rc11,imm ok 4; xmm ok 5
// run: flags=-DTEST=3 rc11,imm ok 3; xmm ok 4
// run: flags=-DTEST=4 rc11,imm ok 10; xmm ok 12
// run: flags=-DTEST=5 rc11 ok 5; imm ok 6; xmm ok 7
// run: flags=-DTEST=6 rc11 ok 5; imm ok 6; xmm ok 7
// run: flags=-DTEST=7 rc11,imm,xmm ok 1
// run: flags=-DTEST=8 rc11,imm,xmm ok 2
// run: flags=-DTEST=9 rc11 ok 32; xmm ok 36
// run: flags=-DTEST=9 flags=-DROUNDS=2 rc11 ok 2216; xmm ok 2894
// run: flags=-DTEST=10 rc11 ok 3; xmm ok 4
// run: flags=-DTEST=11 rc11 ok 2; xmm ok 2
// run: flags=-DTEST=12 rc11 ok 3; xmm ok 4
// run: flags=-DTEST=2 flags=-DBACKWARDS xmm ok 5
// run: flags=-DTEST=4 flags=-DBACKWARDS xmm ok 12
// run: flags=-DTEST=5 flags=-DBACKWARDS xmm ok 7
// run: flags=-DTEST=9 flags=-DBACKWARDS xmm ok 36
// run: args=--jobs=3 flags=-DTEST=4 xmm ok 12
#include "../common.h"

#define R(x) load(&(x), rlx)
#define W(x, v) store(&(x), (v), rlx)

static atomic_int x, y, z;

#if TEST == 1
static void one(void) {
  if (R(x) <= 1)
    W(y, 1);
}
static void two(void) {
  int b = R(y), c = R(z);
  W(x, b + c);
}
static void three(void) { W(z, 1); }
#elif TEST == 2
static void one(void) {
  int a = R(x), b = R(x);
  if (a == b)
    W(y, 1);
}
static void two(void) { W(x, R(y)); }
#elif TEST == 3 || TEST == 4
static void one(void) {
  int a = R(x);
  W(y, 1 + a * a - a);
}
static void two(void) { W(x, R(y)); }
#if TEST == 4
static void three(void) { W(x, 2); }
#endif
#elif TEST == 5 || TEST == 6
static void one(void) { W(z, 1); }
static void two(void) {
  int a = R(z), b = R(x);
  if (TEST == 5 ? a == 0 || (a == 1 && b == 1) : a == 0 || b == 1)
    W(y, 1);
}
static void three(void) { W(x, R(y)); }
#elif TEST == 7
static void one(void) {
  if (R(x) == 0)
    store(&y, 1, sc);
  else
    W(z, 1);
}
static void two(void) {
  int b, c;
  do {
    b = load(&y, sc);
    c = R(z);
  } while (b + c == 0);
  W(x, 1);
}
#elif TEST == 8
static atomic_int a, b;
static void one(void) {
  int seen = load(&x, sc) == 1 ? R(a) : 0;
  if (seen == 0)
    store(&y, 1, sc);
  else
    W(b, 1);
}
static void two(void) {
  int c, d;
  do {
    c = load(&y, sc);
    d = R(b);
  } while (c + d == 0);
  W(a, 1);
}
static void three(void) { store(&x, 1, sc); }
#elif TEST == 9
static void enter(atomic_int *mine, atomic_int *other, int id) {
  store(mine, 1, rlx);
  fence(sc);
  store(mine, 3, rlx);
  fence(sc);
  if (load(other, rlx) == 1) {
    store(mine, 2, rlx);
    fence(sc);
  }
  store(mine, 4, rlx);
  fence(sc);
  W(z, id);
  fence(sc);
  store(mine, 0, rlx);
}
#ifndef ROUNDS
#define ROUNDS 1
#endif
static void one(void) {
  for (int i = 0; i < ROUNDS; i++)
    enter(&x, &y, 1);
}
static void two(void) {
  for (int i = 0; i < ROUNDS; i++)
    enter(&y, &x, 2);
}
#elif TEST == 10
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void one(void) {
  pthread_mutex_lock(&m);
  R(x);
  W(y, 1);
  pthread_mutex_unlock(&m);
}
static void two(void) {
  R(y);
  W(x, 1);
}
#elif TEST == 11
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void one(void) {
  pthread_mutex_lock(&m);
  R(x);
  W(y, 1);
  pthread_mutex_unlock(&m);
}
static void two(void) {
  pthread_mutex_lock(&m);
  R(y);
  W(x, 1);
  pthread_mutex_unlock(&m);
}
#elif TEST == 12
static atomic_int *box;
static void one(void) {
  R(box[0]);
  W(box[1], 1);
}
static void two(void) {
  R(box[1]);
  W(box[0], 1);
}
#define BEFORE (box = calloc(2, sizeof *box))
#endif

#define THREAD(name)                                                           \
  static void *run_##name(void *unused) {                                      \
    (void)unused;                                                              \
    name();                                                                    \
    return NULL;                                                               \
  }
THREAD(one)
THREAD(two)
#if TEST == 1 || TEST == 4 || TEST == 5 || TEST == 6 || TEST == 8
THREAD(three)
#define THREE run_three
#else
#define THREE NULL
#endif

int main(void) {
  void *(*const bodies[])(void *) = {run_one, run_two, THREE};
  pthread_t t;
#ifdef BEFORE
  BEFORE;
#endif
  for (int i = 0; i < 3; i++) {
#ifdef BACKWARDS
    void *(*body)(void *) = bodies[2 - i];
#else
    void *(*body)(void *) = bodies[i];
#endif
    if (body)
      pthread_create(&t, NULL, body, NULL);
  }
  return 0;
}
