// SPDX-License-Identifier: MIT
// What is in an object of the heap or of main's stack may be buffered like
// anything else; and where it cannot be, all costs what it costs under rc11.
// run: rc11 ok 3; xmm ok 4
// run: flags=-DSTACK rc11 ok 3; xmm ok 4
// run: flags=-DCOUNT=7 rc11,xmm ok 5040
// run: flags=-DCOUNT=7 flags=-DSTACK rc11,xmm ok 5040
#include "../common.h"

struct pair {
  atomic_int x, y;
};

#ifdef COUNT
enum { THREADS = COUNT };

static void *body(void *pair) {
  struct pair *p = pair;
  fetch_add(&p->x, 1, rlx);
  return NULL;
}

static void begin(pthread_t *ids, struct pair *p) {
  for (unsigned i = 0; i < THREADS; i++)
    pthread_create(&ids[i], NULL, body, p);
}
#else
enum { THREADS = 2 };

static void *there(void *pair) {
  struct pair *p = pair;
  load(&p->x, rlx);
  store(&p->y, 1, rlx);
  return NULL;
}

static void *back(void *pair) {
  struct pair *p = pair;
  load(&p->y, rlx);
  store(&p->x, 1, rlx);
  return NULL;
}

static void begin(pthread_t *ids, struct pair *p) {
  pthread_create(&ids[0], NULL, there, p);
  pthread_create(&ids[1], NULL, back, p);
}
#endif

int main(void) {
  pthread_t ids[THREADS];
#ifdef STACK
  struct pair here, *p = &here;
#else
  struct pair *p = malloc(sizeof *p);
#endif
  atomic_init(&p->x, 0);
  atomic_init(&p->y, 0);
  begin(ids, p);
  join(ids, THREADS);
#ifndef STACK
  free(p);
#endif
  return 0;
}
