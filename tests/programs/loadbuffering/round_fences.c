// SPDX-License-Identifier: MIT
// That T1 reads v = 1 is justified by an execution in which T2 makes two rounds
// of its loop: it reads w = 2 and has its fence in the first, and reads w = 1
// and x = 1 in the second, so that it writes z, which races. The fence of the
// failed round is then what stands between its loads of u and y, as in what is
// justified, where one round is all there is.
//
// BOUNDED makes at most two rounds, which are all explored.
//
// expect: xmm error assertion; rc11 ok
// run: flags=-DBOUNDED xmm error assertion; rc11 ok
#include "../common.h"

static atomic_int u, v, w, x, y, z;

static void *one(void *unused) {
  (void)load(&z, rlx);
  int a = load(&v, rlx);
  if (!a)
    atomic_thread_fence(rel);
  store(&y, 1, rlx);
  assert(!a);
  return unused;
}

static void *two(void *unused) {
  int c;
  (void)load(&u, rlx);
#ifdef BOUNDED
  int rounds = 0;
#endif
  do {
#ifdef BOUNDED
    if (rounds++ == 2)
      return unused;
#endif
    c = load(&w, rlx);
    if (c == 2)
      atomic_thread_fence(acq);
  } while (!load(&x, rlx));
  if (!load(&y, rlx))
    return unused;
  if (c == 2) {
    atomic_thread_fence(acq);
    store(&v, 1, rlx);
  } else {
    store(&z, 1, rlx);
  }
  return unused;
}

static void *three(void *unused) {
  store(&w, 2, rlx);
  store(&w, 1, rlx);
  return unused;
}

static void *four(void *unused) {
  store(&x, 1, rlx);
  return unused;
}

int main(void) {
  pthread_t ids[4];
  pthread_create(&ids[0], NULL, one, NULL);
  pthread_create(&ids[1], NULL, two, NULL);
  pthread_create(&ids[2], NULL, three, NULL);
  pthread_create(&ids[3], NULL, four, NULL);
  return 0;
}
