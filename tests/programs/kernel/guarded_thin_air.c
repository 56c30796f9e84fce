// SPDX-License-Identifier: MIT
// As guarded_plain.c, but each thread does something only because of what it
// read: the only execution in which anything is written, and in which there is a
// race, is the one in which that comes out of thin air.
// run: args=--variant args=no-thin-air lkmm ok 1
// expect: lkmm error race; rc11 ok 1
#include <heddle/lkmm.h>
#include <pthread.h>

static DEFINE_SPINLOCK(one);
static DEFINE_SPINLOCK(other);
static int x, y, by_one, by_other;

static void *first(void *arg) {
  if (x) {
    spin_lock(&one);
    by_one = 1;
    spin_unlock(&one);
  }
  return arg;
}

static void *second(void *arg) {
  spin_lock(&one);
  int seen = by_one;
  spin_unlock(&one);
  if (seen)
    WRITE_ONCE(y, 1);
  return arg;
}

static void *third(void *arg) {
  if (y) {
    spin_lock(&other);
    by_other = 1;
    spin_unlock(&other);
  }
  return arg;
}

static void *fourth(void *arg) {
  spin_lock(&other);
  int seen = by_other;
  spin_unlock(&other);
  if (seen)
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
  return 0;
}
