// SPDX-License-Identifier: MIT
// Threads that wait, or stop, in a section of RCU: it has not ended yet, and no
// grace period has ended before it does.
//
//  1  a lock is taken in a section
//  2  the same, and data is read before that which is written behind a grace
//     period
//  3  as 2, without the section
//  4  an assertion in a section, which holds since no grace period passes
//  5  as 4, where the second load may be behind the grace period
//  6  an assumption in a section
//  7  a section is left open
//  8  a lock is taken in a section of SRCU
//  9  a section of SRCU is left open
//
// run: flags=-DP=1 lkmm ok 2+2
// run: flags=-DP=2 lkmm ok
// run: args=--definition flags=-DP=2 lkmm ok
// run: flags=-DP=3 lkmm error race
// run: flags=-DP=4 lkmm ok 3
// run: flags=-DP=5 lkmm error assertion
// run: flags=-DP=6 lkmm ok 1+1
// run: flags=-DP=7 lkmm error flag
// run: flags=-DP=8 lkmm ok 2+2
// run: flags=-DP=9 lkmm error flag
#include <heddle.h>
#include <lkmm.h>
#include <pthread.h>

static int x, y, data;
static struct srcu_struct domain;
static DEFINE_SPINLOCK(lock);

static void count(void) {
  spin_lock(&lock);
  x++;
  spin_unlock(&lock);
}

static void *reader(void *unused) {
  int r = 0, s = 0, index = 0;
#if P >= 8
  index = srcu_read_lock(&domain); // BUG
#elif P != 3
  rcu_read_lock(); // BUG
#endif
#if P == 1 || P == 8
  count();
#elif P == 2 || P == 3
  if (!READ_ONCE(y))
    r = data; // BUG
  count();
#elif P == 4 || P == 5
  r = READ_ONCE(x);
#if P == 5
  rcu_read_unlock();
  rcu_read_lock();
#endif
  s = READ_ONCE(y);
  assert(r || !s); // BUG
#elif P < 8
  heddle_assume(READ_ONCE(x));
#endif
  (void)r, (void)s, (void)index;
#if P == 8
  srcu_read_unlock(&domain, index);
#elif P != 3 && P != 7 && P != 9
  rcu_read_unlock();
#endif
  return unused;
}

static void *writer(void *unused) {
#if P == 1 || P == 8
  count();
#elif P == 2 || P == 3
  WRITE_ONCE(y, 1);
  synchronize_rcu();
  data = 1; // BUG
#else
  WRITE_ONCE(x, 1);
  synchronize_rcu();
  WRITE_ONCE(y, 1);
#endif
  return unused;
}

static void *other(void *unused) {
  count();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  pthread_create(&t, NULL, writer, NULL);
  if (P == 2 || P == 3)
    pthread_create(&t, NULL, other, NULL);
  return 0;
}
