// SPDX-License-Identifier: MIT
// Each of two threads waits for a pointer, reads what it points to and hands a
// pointer to the other one. An address does not order later stores, so both may
// go on, each because of the other; no value is known before that. Who does not
// take part ends in any case.
// expect: lkmm error hang
// run: args=--disable args=hang lkmm error assertion
// run: args=--disable args=hang flags=-DLOCKED lkmm ok
// run: args=--disable args=hang flags=-DORDERED lkmm ok
#include <assert.h>
#include <heddle.h>
#include <heddle/lkmm.h>
#include <pthread.h>

struct object {
  spinlock_t lock;
  int value;
};

static struct object q = {.value = 1}, s = {.value = 2};
static struct object *x, *y;
static int met;

static void use(struct object *o) {
#ifdef LOCKED
  spin_lock(&o->lock);
  spin_unlock(&o->lock);
#else
  (void)READ_ONCE(o->value);
#endif
#ifdef ORDERED
  smp_mb();
#endif
}

static void *first(void *arg) {
  struct object *o;
  if (__VERIFIER_nondet_bool())
    return arg;
  while (!(o = READ_ONCE(x)))
    ;
  use(o);
  WRITE_ONCE(y, &s);
  met = 1;
  return arg;
}

static void *second(void *arg) {
  struct object *o;
  if (__VERIFIER_nondet_bool())
    return arg;
  while (!(o = READ_ONCE(y)))
    ;
  use(o);
  WRITE_ONCE(x, &q);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(!met);
  return 0;
}
