// SPDX-License-Identifier: MIT
// Two flags and a turn.
// run: sc,tso,rc11,imm,armv8 ok
// run: ra error race
#include <pthread.h>
#undef assert
#define assert(e)                                                              \
  {                                                                            \
    if (!(e)) {                                                                \
    ERROR : { reach_error(); }                                                 \
    }                                                                          \
  }
extern void abort(void);
void reach_error() {
  abort();
}
_Atomic int flag1 = 0, flag2 = 0;
_Atomic int turn;
int x;
void *thr1(void *_) {
  flag1 = 1;
  turn = 1;
  int f21 = flag2;
  int t1 = turn;
  while (f21 == 1 && t1 == 1) {
    f21 = flag2;
    t1 = turn;
  }
  x = 0;
  assert(x <= 0);
  flag1 = 0;
  return 0;
}
void *thr2(void *_) {
  flag2 = 1;
  turn = 0;
  int f12 = flag1;
  int t2 = turn;
  while (f12 == 1 && t2 == 0) {
    f12 = flag1;
    t2 = turn;
  }
  x = 1;
  assert(x >= 1);
  flag2 = 0;
  return 0;
}
int main() {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thr1, 0);
  pthread_create(&t2, 0, thr2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
