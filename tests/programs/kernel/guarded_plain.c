// SPDX-License-Identifier: MIT
// A plain load in front of a section: the lock orders the section with the next
// one, but no order leads from a store to a plain load that reads it. So each
// load may see what comes of it, by way of two locks.
// run: args=--disable args=race lkmm error assertion
// expect: lkmm error race
#include <assert.h>
#include <heddle/lkmm.h>
#include <pthread.h>

static DEFINE_SPINLOCK(one);
static DEFINE_SPINLOCK(other);
static int x, y, by_one, by_other, a, b, c, d;

static void *first(void *arg) {
  a = x;
  spin_lock(&one);
  by_one = 1;
  spin_unlock(&one);
  return arg;
}

static void *second(void *arg) {
  spin_lock(&one);
  b = by_one;
  spin_unlock(&one);
  WRITE_ONCE(y, 1);
  return arg;
}

static void *third(void *arg) {
  c = y;
  spin_lock(&other);
  by_other = 1;
  spin_unlock(&other);
  return arg;
}

static void *fourth(void *arg) {
  spin_lock(&other);
  d = by_other;
  spin_unlock(&other);
  WRITE_ONCE(x, 1);
  return arg;
}

int main(void) {
  static void *(*const threads[])(void *) = {first, second, third, fourth};
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, threads[i], NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  assert(!(a && b && c && d));
  return 0;
}
