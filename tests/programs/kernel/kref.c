// SPDX-License-Identifier: MIT
// An object with a kref that two threads hold. A reference that is taken when
// the last one may be gone is an error that the kernel only warns of.
// expect: lkmm ok
// run: flags=-DGET_LATE lkmm error assertion
// run: flags=-DPUT_TWICE lkmm error use-after-free
#include <linux/kernel.h>
#include <linux/kref.h>
#include <linux/slab.h>
#include <pthread.h>

struct session {
  struct kref references;
  int data;
};

static void release(struct kref *k) {
  struct session *s = container_of(k, struct session, references);
  WARN_ON_ONCE(s->data != 2);
  kfree(s); // BUG
}

static void *user(void *p) {
  struct session *s = p;
#ifdef GET_LATE
  kref_get(&s->references); // BUG
#endif
  kref_put(&s->references, release);
#ifdef PUT_TWICE
  kref_put(&s->references, release); // BUG
#endif
  return NULL;
}

int main(void) {
  pthread_t t;
  struct session *s = kzalloc(sizeof *s, GFP_KERNEL);
  kref_init(&s->references);
  s->data = 2;
#ifndef GET_LATE
  kref_get(&s->references);
#endif
  pthread_create(&t, NULL, user, s);
  kref_put(&s->references, release); // BUG
  pthread_join(t, NULL);
  return 0;
}
