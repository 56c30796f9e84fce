// SPDX-License-Identifier: MIT
// Programs in which reads race with what comes after them, but no cycle can be
// closed: XMM has the executions of RC11.
//   1  reorder2: two setters of a pair, two checkers of it that look at the
//      second half only if they have to
//   2  dekker-bnd: Dekker's lock, whose loops give up after three rounds
//   3  LB+coh+fadd+fsub: two updates of one location
// run: flags=-DTEST=1 rc11,xmm ok 1296
// run: args=--explore-retries flags=-DTEST=2 rc11,xmm ok 55
// run: flags=-DTEST=3 rc11,xmm ok 2
#include "../common.h"

#define R(x) load(&(x), rlx)
#define W(x, v) store(&(x), (v), rlx)

static atomic_int x, y;

#if TEST == 1
static void *setter(void *unused) {
  W(x, 1);
  W(y, -1);
  return unused;
}
static void *checker(void *unused) {
  (void)!((R(x) == 0 && R(y) == 0) || (R(x) == 1 && R(y) == -1));
  return unused;
}
int main(void) {
  pthread_t setters[2], checkers[2];
  start(setters, 2, setter);
  start(checkers, 2, checker);
  join(setters, 2);
  join(checkers, 2);
  return 0;
}
#elif TEST == 2
static atomic_int turn;
static void enter(atomic_int *mine, atomic_int *other, int me) {
  int rounds = 0;
  store(mine, 1, sc);
  while (load(other, sc)) {
    if (load(&turn, sc) != me) {
      int waits = 0;
      store(mine, 0, sc);
      while (load(&turn, sc) != me)
        if (++waits == 3)
          return;
      store(mine, 1, sc);
    }
    if (++rounds == 3)
      return;
  }
  store(&turn, 1 - me, sc);
  store(mine, 0, sc);
}
static void *one(void *unused) {
  enter(&x, &y, 0);
  return unused;
}
static void *two(void *unused) {
  enter(&y, &x, 1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&t, NULL, two, NULL);
  return 0;
}
#elif TEST == 3
static void *one(void *unused) {
  fetch_add(&x, 1, rlx);
  return unused;
}
static void *two(void *unused) {
  atomic_fetch_sub_explicit(&x, 1, rlx);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&t, NULL, two, NULL);
  return 0;
}
#endif
