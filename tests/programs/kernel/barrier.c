// A module goes away: nobody reads any more, and what its callbacks use is
// taken down when they are done. rcu_barrier() waits for those that were queued
// before, by any thread; synchronize_rcu() is no replacement, and neither is
// waiting before the last of them was queued. A callback that queues another
// one needs a second barrier.
// expect: lkmm ok 2
// run: flags=-DSYNC lkmm error assertion
// run: flags=-DNOTHING lkmm error assertion
// run: flags=-DEARLY lkmm error assertion
// run: flags=-DCHAIN lkmm error assertion
// Out of thin air it might queue more and more of them.
// run: flags=-DCHAIN flags=-DTWICE lkmm incomplete
// run: args=--variant args=no-thin-air flags=-DCHAIN flags=-DTWICE lkmm ok
// run: flags=-DWORKER lkmm ok
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <pthread.h>

struct object {
  struct rcu_head rcu;
  int generation;
};

static int is_there = 1;
static struct object one, two;

static void forget(struct rcu_head *head) {
  assert(READ_ONCE(is_there)); // BUG
#ifdef CHAIN
  if (head == &one.rcu)
    call_rcu(&two.rcu, forget);
#else
  (void)head;
#endif
}

static void *reader(void *unused) {
  rcu_read_lock();
  (void)READ_ONCE(one.generation);
  rcu_read_unlock();
  return unused;
}

static void *worker(void *unused) {
  WRITE_ONCE(one.generation, 1);
  call_rcu(&one.rcu, forget);
  return unused;
}

static void take_down(void) {
#if defined(SYNC)
  synchronize_rcu();
#elif !defined(NOTHING) && !defined(EARLY)
  rcu_barrier();
#endif
#ifdef TWICE
  rcu_barrier();
#endif
  WRITE_ONCE(is_there, 0);
}

int main(void) {
  pthread_t r;
  pthread_create(&r, NULL, reader, NULL);
#ifdef EARLY
  rcu_barrier();
#endif
#ifdef WORKER
  pthread_t w;
  pthread_create(&w, NULL, worker, NULL);
  pthread_join(w, NULL);
#else
  worker(NULL);
#endif
  pthread_join(r, NULL);
  take_down();
  return 0;
}
