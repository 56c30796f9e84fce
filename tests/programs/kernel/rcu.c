// A reader looks at an object that an updater replaces and frees. Without the
// grace period it is freed too early; without the section the reader has no
// protection either.
// expect: lkmm ok 2
// run: flags=-DNO_GRACE lkmm error free-race
// run: flags=-DNO_SECTION lkmm error free-race
#include <lkmm.h>
#include <pthread.h>

struct config {
  int limit;
};

static struct config *current;
static DEFINE_SPINLOCK(writers);

static void *reader(void *unused) {
#ifndef NO_SECTION
  rcu_read_lock();
#endif
  struct config *c = rcu_dereference(current);
  if (c)
    assert(c->limit == 1 || c->limit == 2); // BUG
#ifndef NO_SECTION
  rcu_read_unlock();
#endif
  return unused;
}

static void replace(int limit) {
  struct config *fresh = kmalloc(sizeof *fresh, GFP_KERNEL);
  fresh->limit = limit;
  spin_lock(&writers);
  struct config *old = current;
  rcu_assign_pointer(current, fresh);
  spin_unlock(&writers);
#ifndef NO_GRACE
  synchronize_rcu();
#endif
  kfree(old); // BUG
}

int main(void) {
  pthread_t r;
  replace(1);
  pthread_create(&r, NULL, reader, NULL);
  replace(2);
  pthread_join(r, NULL);
  kfree(current);
  return 0;
}
