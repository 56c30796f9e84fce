// SPDX-License-Identifier: MIT
// Two cycles of po ∪ rf through the same threads: in the execution that
// justifies the second one, a later event of a thread leads back to an earlier
// one. All accesses are relaxed.
//   1  two values go through both threads; LAST: all reads are 1
//   2  the second cycle goes through one branch alone
//   3  the same in two threads
// run: flags=-DTEST=1 rc11 ok 10; xmm ok 16
// run: flags=-DTEST=1 flags=-DLAST rc11 ok 10; imm,xmm error assertion
// run: flags=-DTEST=1 flags=-DSWAPPED rc11 ok 10; xmm ok 16
// run: flags=-DTEST=2 rc11 ok 3; xmm ok 7
// run: flags=-DTEST=3 rc11 ok 3; xmm ok 7
// run: args=--jobs=2 flags=-DTEST=1 xmm ok 16
#include "../common.h"

#define R(x) load(&(x), rlx)
#define W(x, v) store(&(x), (v), rlx)

static atomic_int x, y, z, v, w;
static int a, b, c, d;

#if TEST == 1
static void one(void) {
  a = R(y);
  W(x, a);
  b = R(v);
  W(w, b);
}
static void two(void) {
#ifdef SWAPPED
  W(v, 1);
  c = R(x);
#else
  c = R(x);
  W(v, 1);
#endif
  d = R(w);
  W(y, d);
}
static void three(void) {}
#elif TEST == 2
static void one(void) {
  if (!R(x)) {
    W(y, 1);
  } else {
    W(w, 1);
    (void)R(z);
    W(y, 1);
  }
}
static void two(void) {
  (void)R(w);
  W(z, 1);
}
static void three(void) { W(x, R(y)); }
#elif TEST == 3
static void one(void) {
  if (R(x)) {
    W(v, 1);
    (void)R(w);
  }
  W(y, 1);
}
static void two(void) {
  W(x, R(y));
  W(w, R(v));
}
static void three(void) {}
#endif

#define THREAD(name)                                                           \
  static void *run_##name(void *unused) {                                      \
    (void)unused;                                                              \
    name();                                                                    \
    return NULL;                                                               \
  }
THREAD(one)
THREAD(two)
THREAD(three)

int main(void) {
  pthread_t t, u, s;
  pthread_create(&t, NULL, run_one, NULL);
  pthread_create(&u, NULL, run_two, NULL);
  pthread_create(&s, NULL, run_three, NULL);
#ifdef LAST
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(!(a && b && c && d)); // BUG
#endif
  return 0;
}
