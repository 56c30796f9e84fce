// SPDX-License-Identifier: MIT
// What only complete graphs can tell is told of the last event, too, which is
// not added where nothing can be told (explore/reduce/leaf.c): that it races
// (LAST_PLAIN), that it does so if it is this execution (LAST_SEEN), or that a
// section does not end (LAST_LOCKED). MARKED: there is nothing of the kind.
// run: flags=-DMARKED lkmm ok 6
// run: flags=-DLAST_PLAIN lkmm error race
// run: flags=-DLAST_SEEN lkmm error race
// run: flags=-DLAST_LOCKED lkmm error flag
// run: flags=-DLAST_GRACE lkmm ok 2
#include <linux/atomic.h>
#include <linux/rcupdate.h>
#include <pthread.h>
#include <stddef.h>

static int x, y;

static void *one(void *unused) {
  WRITE_ONCE(x, 1);
  return unused;
}

static void *other(void *unused) {
#ifdef MARKED
  WRITE_ONCE(x, 2);
#elif defined LAST_PLAIN
  x = 2;
#elif defined LAST_SEEN
  if (READ_ONCE(x))
    y = 1;
#elif defined LAST_LOCKED
  rcu_read_lock();
#else
  synchronize_rcu();
#endif
  return unused;
}

static void *third(void *unused) {
#ifdef LAST_SEEN
  y = 2;
#else
  WRITE_ONCE(x, 3);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&c, NULL, third, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
