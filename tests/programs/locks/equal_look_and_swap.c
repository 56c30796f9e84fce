// SPDX-License-Identifier: MIT
// A lock that is looked at before it is taken, and four threads, two of which
// are equal: they come in each of 4! orders.
// args: --symmetry on
// run: flags=-DCREATE=a,a,b,c sc,tso,pso,ra,rc11 ok 24
// run: flags=-DCREATE=a,a,b,c args=--equivalence args=rf sc,tso,pso,ra,rc11 ok 24
// run: flags=-DCREATE=b,a,a,c args=--equivalence args=rf sc,rc11 ok 24
// run: flags=-DCREATE=a,b,c,a args=--equivalence args=rf sc,rc11 ok 24
// run: flags=-DCREATE=a,a,b,c flags=-DNEVER=01123 args=--equivalence args=rf sc,tso,pso,ra,rc11 error assertion
// run: flags=-DCREATE=a,a,b,c flags=-DNEVER=03211 args=--equivalence args=rf sc,tso,pso,ra,rc11 error assertion
// run: flags=-DCREATE=a,a,b,c flags=-DNEVER=02113 args=--equivalence args=rf sc,tso,pso,ra,rc11 error assertion
// run: flags=-DCREATE=a,a,b,c flags=-DNEVER=03112 args=--equivalence args=rf sc,tso,pso,ra,rc11 error assertion
// run: flags=-DCREATE=a,a,b,c flags=-DNEVER=01231 args=--equivalence args=rf sc,tso,pso,ra,rc11 error assertion
// run: flags=-DCREATE=a,a,b,c flags=-DNEVER=01312 args=--equivalence args=rf sc,tso,pso,ra,rc11 error assertion
#include "../common.h"

static atomic_int word;
static int order; // octal

static void come(int who) {
  do
    while (load(&word, rlx))
      ;
  while (swap(&word, 1, acq));
  order = order * 8 + who;
  store(&word, 0, rel);
}

static void *a(void *unused) {
  come(1);
  return unused;
}

static void *b(void *unused) {
  come(2);
  return unused;
}

static void *c(void *unused) {
  come(3);
  return unused;
}

int main(void) {
  void *(*run[])(void *) = {CREATE};
  pthread_t ids[4];
  pthread_create(&ids[0], NULL, run[0], NULL);
  pthread_create(&ids[1], NULL, run[1], NULL);
  pthread_create(&ids[2], NULL, run[2], NULL);
  pthread_create(&ids[3], NULL, run[3], NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(ids[i], NULL);
#ifdef NEVER
  assert(order != NEVER); // BUG
#endif
}
