// SPDX-License-Identifier: MIT
// References are given back without an acquire: the last one frees what others
// may still read.
#include "hunt.h"
#define USERS sized(7, 2)

struct object {
  atomic_int references;
  atomic_int data;
};

static void *user(void *arg) {
  struct object *o = arg;
  store(&o->data, 1, rlx);
  if (fetch_add(&o->references, -1, planted(acqrel, rel)) == 1)
    free(o);
  return NULL;
}

int main(void) {
  pthread_t t[USERS];
  struct object *o = malloc(sizeof *o);
  atomic_init(&o->references, USERS);
  atomic_init(&o->data, 0);
  for (int i = 0; i < USERS; i++)
    pthread_create(&t[i], NULL, user, o);
  join(t, USERS);
}
