// SPDX-License-Identifier: MIT
// Sections of RCU inside each other: the outer one lasts from the first lock to
// the last unlock, so that a grace period is before all of it or after.
// expect: lkmm ok 3
// run: flags=-DNONE lkmm error assertion
#include <lkmm.h>
#include <pthread.h>

#ifdef NONE
#define rcu_read_lock() (void)0
#define rcu_read_unlock() (void)0
#endif

static int x, y;

static void *reader(void *unused) {
  rcu_read_lock();
  int first = READ_ONCE(y);
  rcu_read_lock();
  rcu_read_unlock();
  int second = READ_ONCE(x);
  rcu_read_unlock();
  assert(first == 0 || second == 1);
  return unused;
}

int main(void) {
  pthread_t r;
  pthread_create(&r, NULL, reader, NULL);
  WRITE_ONCE(x, 1);
  synchronize_rcu();
  WRITE_ONCE(y, 1);
  pthread_join(r, NULL);
  return 0;
}
