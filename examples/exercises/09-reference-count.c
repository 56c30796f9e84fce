// SPDX-License-Identifier: MIT
// Exercise 9: who frees it?
//
// Only the last one that lets go frees the object. Why can the other still be
// using it? heddle optimize --repair finds the orders; say in your own words
// what each of them is for.
//
// expect: rc11 error free-race
// run: flags=-DSOLUTION rc11 ok
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef SOLUTION
enum { DROP = memory_order_acq_rel };
#else
enum { DROP = memory_order_relaxed };
#endif

struct object {
  atomic_int users;
  int value;
};
static struct object *object;

static void *user(void *unused) {
  struct object *o = object;
  (void)o->value;
  if (atomic_fetch_sub_explicit(&o->users, 1, DROP) == 1)
    free(o);
  return unused;
}

int main(void) {
  pthread_t other;
  object = malloc(sizeof *object);
  atomic_init(&object->users, 2);
  object->value = 42;
  pthread_create(&other, NULL, user, NULL);
  user(NULL);
  pthread_join(other, NULL);
  return 0;
}
