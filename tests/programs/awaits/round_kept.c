// SPDX-License-Identifier: MIT
// One thread waits with a mutex in hand, which it gives back and takes again in
// each round. Whether another one had the mutex meanwhile makes two executions
// of it. They are counted too where failed rounds are kept since they may race
// (round_races.c; in vain here: who changes the data has seen the release
// behind the wait that looks at them): 3 executions of the others.
// run: sc,tso,rc11,imm,armv8,c11,xmm ok 6
// run: args=--jobs=2 rc11,armv8 ok 6
// run: flags=-DALONE sc,rc11 ok 3
#include "../common.h"

static atomic_int x, y, behind, go;
static int data;
static atomic_int *const each[] = {&x, &y};

static void *waits(void *unused) {
  for (int i = 0; i < 2; i++) {
    while (load(each[i], rlx) == 0)
      if (!i && data == 5)
        break;
    if (!i)
      store(&behind, 1, rel);
  }
  store(&go, 1, rlx);
  return unused;
}

static void *ends_wait(void *unused) {
  store(&x, 1, rlx);
  store(&y, 1, rlx);
  return unused;
}

static void *changes(void *unused) {
  if (load(&behind, acq) && load(&go, rlx))
    data = 1;
  return unused;
}

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *with_mutex(void *unused) {
  pthread_mutex_lock(&m);
  while (!flag) {
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
  return unused;
}

static void *sets(void *unused) {
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  spawn(waits);
  spawn(ends_wait);
  spawn(changes);
#ifndef ALONE
  spawn(with_mutex);
  spawn(sets);
#endif
  return 0;
}
