// SPDX-License-Identifier: MIT
// Main has joined one thread, not the other: what it does then may be seen, and
// it may see what that one does.
// expect: lkmm error assertion
#include <assert.h>
#include <heddle/lkmm.h>
#include <pthread.h>

static DEFINE_SPINLOCK(lock);
static int x, y, n, a;

static void *count(void *arg) {
  spin_lock(&lock);
  n++;
  spin_unlock(&lock);
  return arg;
}

static void *copy(void *arg) {
  count(arg);
  a = READ_ONCE(x);
  WRITE_ONCE(y, 1);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, count, NULL);
  pthread_create(&t[1], NULL, copy, NULL);
  pthread_join(t[0], NULL);
  int b = READ_ONCE(y);
  WRITE_ONCE(x, 1);
  pthread_join(t[1], NULL);
  assert(!(a && b));
  return 0;
}
