// An object with a count of references, which a reader gets only if the count
// is not 0, under RCU; whoever drops the last one frees the object after a grace
// period.
// expect: lkmm ok
// run: flags=-DPLAIN_GET lkmm error double-free
// run: flags=-DNO_GRACE lkmm error free-race
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <pthread.h>

struct object {
  atomic_t references;
  int value;
};

static struct object *shared;

static void put(struct object *o) {
  if (!atomic_dec_and_test(&o->references)) // BUG
    return;
#ifndef NO_GRACE
  synchronize_rcu();
#endif
  kfree(o); // BUG
}

static void *reader(void *unused) {
  rcu_read_lock();
  struct object *o = rcu_dereference(shared);
#ifdef PLAIN_GET
  if (o)
    atomic_inc(&o->references);
#else
  if (o && !atomic_inc_not_zero(&o->references)) // BUG
    o = NULL;
#endif
  rcu_read_unlock();
  if (o) {
    assert(READ_ONCE(o->value) == 7); // BUG
    put(o);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  struct object *o = kzalloc(sizeof *o, GFP_KERNEL);
  o->value = 7;
  atomic_set(&o->references, 1);
  rcu_assign_pointer(shared, o);
  pthread_create(&t, NULL, reader, NULL);
  WRITE_ONCE(shared, NULL);
  put(o);
  pthread_join(t, NULL);
  return 0;
}
