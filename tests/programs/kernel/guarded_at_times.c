// SPDX-License-Identifier: MIT
// One of two ways to a pair of accesses takes the lock.
// expect: lkmm error assertion
#include <assert.h>
#include <heddle/lkmm.h>
#include <pthread.h>

static DEFINE_SPINLOCK(lock);
static int x, y, skip = 1, a, b;

static void *first(void *arg) {
  int skips = READ_ONCE(skip);
  if (!skips)
    spin_lock(&lock);
  a = READ_ONCE(x);
  WRITE_ONCE(y, 1);
  if (!skips)
    spin_unlock(&lock);
  return arg;
}

static void *second(void *arg) {
  spin_lock(&lock);
  b = READ_ONCE(y);
  WRITE_ONCE(x, 1);
  spin_unlock(&lock);
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
