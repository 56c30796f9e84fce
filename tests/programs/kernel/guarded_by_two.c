// SPDX-License-Identifier: MIT
// Every access is made under a lock, but of each location under two of them:
// nothing orders the two accesses of a section, so both loads may see the
// store of the other one.
// expect: lkmm error assertion
#include <assert.h>
#include <heddle/lkmm.h>
#include <pthread.h>

static DEFINE_SPINLOCK(one);
static DEFINE_SPINLOCK(other);
static int x, y, a, b;

static void *first(void *arg) {
  spin_lock(&one);
  a = READ_ONCE(x);
  WRITE_ONCE(y, 1);
  spin_unlock(&one);
  return arg;
}

static void *second(void *arg) {
  spin_lock(&other);
  b = READ_ONCE(y);
  WRITE_ONCE(x, 1);
  spin_unlock(&other);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(!(a && b));
  return 0;
}
