// What comes behind a branch is not ordered with what it depends on, and what
// the branch guards is there only if it is taken: a store that appears, an
// allocation, a compare-exchange that succeeds, another element. The load reads
// what follows from the store behind all that.
// expect: lkmm error assertion
// run: args=--variant args=no-thin-air lkmm ok 3
// run: flags=-DGUARDED lkmm ok 2
// run: flags=-DMB lkmm ok 3
// run: flags=-DALLOC lkmm error assertion
// run: flags=-DCAS lkmm error assertion
// run: flags=-DELEMENT lkmm error assertion
// run: flags=-DINSIDE lkmm error assertion
// run: flags=-DRACE lkmm error race
#include <linux/atomic.h>
#include <linux/slab.h>
#include <pthread.h>

static int x, y, w, element[2];

static void *left(void *unused) {
#ifdef CAS
  int r = cmpxchg_relaxed(&x, 1, 2);
#else
  int r = READ_ONCE(x);
#endif
#if defined(ALLOC)
  if (r)
    kfree(kmalloc(4, GFP_KERNEL));
#elif defined(ELEMENT)
  WRITE_ONCE(element[r], 1);
#elif defined(RACE)
  if (r)
    w = 1;
#else
  if (r)
    WRITE_ONCE(w, 1);
#endif
#ifdef MB
  smp_mb();
#endif
#ifdef INSIDE
  assert(!r); // BUG
#endif
#ifdef GUARDED
  if (r)
#endif
    WRITE_ONCE(y, 1);
  return (void *)(long)r;
}

static void *right(void *unused) {
  int r = READ_ONCE(y);
  WRITE_ONCE(x, r);
#ifdef RACE
  r = w; // BUG
#endif
  (void)r;
  return unused;
}

int main(void) {
  pthread_t l, r;
  void *got;
  pthread_create(&l, NULL, left, NULL);
  pthread_create(&r, NULL, right, NULL);
  pthread_join(l, &got);
  pthread_join(r, NULL);
#if !defined(RACE) && !defined(INSIDE)
  assert(!got); // BUG
#endif
  return 0;
}
