// SPDX-License-Identifier: MIT
// Plain data that is only accessed under a lock: two counters of which one
// depends on the other, by threads that wait for the lock and one that tries,
// and by main before they are created and after they are joined. No load needs
// to be guessed. (What sums may be has no end without that.)
// expect: lkmm ok 10; rc11 ok 10
#include <assert.h>
#include <heddle/lkmm.h>
#include <pthread.h>

static DEFINE_SPINLOCK(lock);
static int count, sum, missed;

static void add(void) {
  count = count + 1;
  sum = sum + count;
}

static void *wait_for(void *arg) {
  spin_lock(&lock);
  add();
  spin_unlock(&lock);
  return arg;
}

static void *try_once(void *arg) {
  if (spin_trylock(&lock)) {
    add();
    spin_unlock(&lock);
  } else
    missed = 1;
  return arg;
}

int main(void) {
  pthread_t t[3];
  add();
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, i == 2 ? try_once : wait_for, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  assert(count + missed == 4 && (missed ? sum == 6 : sum == 10));
  return 0;
}
