// SPDX-License-Identifier: MIT
// A thread that does not hold the lock sets it free (a wrong program), so two
// threads are in a section at a time, and both loads may see the store of the
// other one.
// run: args=--disable args=unlock-not-held lkmm error assertion
// expect: lkmm error unlock-not-held
#include <assert.h>
#include <heddle/lkmm.h>
#include <pthread.h>

static DEFINE_SPINLOCK(lock);
static int x, y, a, b;

static void *first(void *arg) {
  spin_lock(&lock);
  a = READ_ONCE(x);
  WRITE_ONCE(y, 1);
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

static void *third(void *arg) {
  WRITE_ONCE(lock.word, 0);
  return arg;
}

int main(void) {
  static void *(*const threads[])(void *) = {first, second, third};
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, threads[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  assert(!(a && b));
  return 0;
}
