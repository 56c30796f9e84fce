// Load buffering: y = 1 comes after the branch on x, and is guarded by it or
// not. Only then may it be done before x is read: the second execution of 1.
// expect: lkmm ok 4
// run: flags=-DGUARDED lkmm ok 2
#include <linux/atomic.h>
#include <pthread.h>

static int x, y, z;

static void *left(void *unused) {
  if (READ_ONCE(x)) {
#ifdef GUARDED
    WRITE_ONCE(y, 1);
#endif
  }
#ifndef GUARDED
  WRITE_ONCE(y, 1);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, left, NULL);
  int r = READ_ONCE(y);
#ifdef GUARDED
  WRITE_ONCE(x, 1 + r - r);
#else
  WRITE_ONCE(x, 1);
#endif
  (void)z;
  pthread_join(t, NULL);
  return 0;
}
