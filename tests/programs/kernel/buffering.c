// Store buffering with the ways to forbid that both reads miss the writes: full
// barriers, fully ordered atomics, and smp_mb__before_atomic and its like.
// expect: lkmm ok 4
// run: flags=-DMB lkmm ok 3
// run: flags=-DWMB lkmm ok 4
// run: flags=-DXCHG lkmm ok 3
// run: flags=-DXCHG_RELAXED lkmm ok 4
// run: flags=-DINC lkmm ok 4
// run: flags=-DINC_AFTER lkmm ok 3
// run: flags=-DRETURN lkmm ok 3
#include <linux/atomic.h>
#include <pthread.h>

static atomic_t x, y;

static int write_and_read(atomic_t *mine, atomic_t *other) {
#if defined(XCHG)
  atomic_xchg(mine, 1);
#elif defined(XCHG_RELAXED)
  atomic_xchg_relaxed(mine, 1);
#elif defined(INC) || defined(INC_AFTER)
  atomic_inc(mine);
#elif defined(RETURN)
  atomic_inc_return(mine);
#else
  atomic_set(mine, 1);
#endif
#if defined(MB)
  smp_mb();
#elif defined(WMB)
  smp_wmb();
#elif defined(INC_AFTER)
  smp_mb__after_atomic();
#endif
  return atomic_read(other);
}

static void *left(void *unused) {
  write_and_read(&x, &y);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, left, NULL);
  write_and_read(&y, &x);
  pthread_join(t, NULL);
  return 0;
}
