// An updater replaces an object and lets a callback free the old one after a
// grace period. A reader outside of a section has no protection; nor has one if
// the callback is called at once.
// expect: lkmm ok 2
// run: flags=-DKFREE lkmm ok 2
// run: flags=-DNO_SECTION lkmm error free-race
// run: flags=-DAT_ONCE lkmm error free-race
#include <linux/mutex.h>
#include <pthread.h>

struct config {
  int limit;
  struct rcu_head rcu;
};

static struct config *current;
static DEFINE_MUTEX(writers);

static void forget(struct rcu_head *head) {
  kfree((char *)head - offsetof(struct config, rcu)); // BUG
}

static void *reader(void *unused) {
#ifndef NO_SECTION
  rcu_read_lock();
#endif
  struct config *c = rcu_dereference(current);
  assert(c->limit == 1 || c->limit == 2); // BUG
#ifndef NO_SECTION
  rcu_read_unlock();
#endif
  return unused;
}

static void replace(int limit) {
  struct config *fresh = kmalloc(sizeof *fresh, GFP_KERNEL);
  fresh->limit = limit;
  mutex_lock(&writers);
  struct config *old = current;
  rcu_assign_pointer(current, fresh);
  mutex_unlock(&writers);
  if (!old)
    return;
#if defined(AT_ONCE)
  forget(&old->rcu);
#elif defined(KFREE)
  kfree_rcu(old, rcu);
#else
  call_rcu(&old->rcu, forget);
#endif
}

int main(void) {
  pthread_t r;
  replace(1);
  pthread_create(&r, NULL, reader, NULL);
  replace(2);
  pthread_join(r, NULL);
  if (mutex_trylock(&writers))
    mutex_unlock(&writers);
  return 0;
}
