// SPDX-License-Identifier: MIT
// Hazard pointers: a reader says what it looks at, and nobody frees that.
//
// The reader announces the pointer and then checks that it is still the current
// one. The writer takes the object out first and looks at the announcements
// then. Each does a store and a load after it, so both need sc: at least one
// sees the other.
//
// With -DWRONG=1 the reader does not check again, and with -DWRONG=2 the
// announcement is a release store. In both the object is freed under its eyes;
// the second happens on x86 too, but under sc it is right.
//
// expect: sc ok; tso ok; rc11 ok
// run: flags=-DWRONG=1 sc error free-race; rc11 error free-race
// run: flags=-DWRONG=2 sc ok; tso error free-race; rc11 error free-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef WRONG
#define WRONG 0
#endif
#define ANNOUNCE (WRONG == 2 ? memory_order_release : memory_order_seq_cst)

struct config {
  int version, copy_of_version;
};

_Atomic(struct config *) current;
_Atomic(struct config *) hazard; // of the one reader there is

struct config *new_config(int version) {
  struct config *c = malloc(sizeof *c);
  *c = (struct config){version, version};
  return c;
}

struct config *protect(void) {
  struct config *c = atomic_load(&current), *again;
  for (;; c = again) {
    atomic_store_explicit(&hazard, c, ANNOUNCE);
    again = atomic_load(&current);
    if (again == c || WRONG == 1)
      return c;
  }
}

void *reader(void *unused) {
  struct config *c = protect();
  assert(c->version == c->copy_of_version);
  atomic_store_explicit(&hazard, NULL, memory_order_release);
  return unused;
}

void *writer(void *unused) {
  struct config *old = atomic_exchange(&current, new_config(2));
  while (atomic_load(&hazard) == old)
    continue;
  free(old);
  return unused;
}

int main(void) {
  pthread_t r, w;
  atomic_init(&current, new_config(1));
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
  free(atomic_load(&current));
}
