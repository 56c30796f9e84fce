// Spinlocks and tries to take them. smp_mb__after_spinlock() orders what is
// before the lock with what is after it; the lock alone does not.
// expect: lkmm ok
// run: flags=-DSB lkmm error assertion
// run: flags=-DSB_AFTER lkmm ok
#include <linux/spinlock.h>
#include <pthread.h>

static DEFINE_SPINLOCK(lock);
static DEFINE_SPINLOCK(other_lock);
static int counter, tried, x, y, r0, r1;

static void *left(void *unused) {
#if defined(SB) || defined(SB_AFTER)
  WRITE_ONCE(x, 1);
  spin_lock(&lock);
#ifdef SB_AFTER
  smp_mb__after_spinlock();
#endif
  r0 = READ_ONCE(y);
  spin_unlock(&lock);
#else
  spin_lock(&lock);
  counter++;
  spin_unlock(&lock);
#endif
  return unused;
}

static void right(void) {
#if defined(SB) || defined(SB_AFTER)
  WRITE_ONCE(y, 1);
  spin_lock(&other_lock);
#ifdef SB_AFTER
  smp_mb__after_spinlock();
#endif
  r1 = READ_ONCE(x);
  spin_unlock(&other_lock);
#else
  if (spin_trylock(&lock)) {
    counter++;
    tried = 1;
    spin_unlock(&lock);
  }
#endif
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, left, NULL);
  right();
  pthread_join(t, NULL);
#if defined(SB) || defined(SB_AFTER)
  assert(r0 || r1); // BUG
#else
  assert(counter == 1 + tried);
#endif
  return 0;
}
