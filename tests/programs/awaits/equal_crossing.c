// SPDX-License-Identifier: MIT
// Equal threads wait for a flag that is raised twice. The second time, its
// thread knows that one of them has seen the first; but without order its write
// may come first in co all the same, and be what the other one sees. Then that
// one comes first of the two, and what it has seen comes last: no order of
// equal threads fits, whichever of them it is.
// run: args=--symmetry args=off ra,rc11 ok 28
// run: args=--symmetry args=on ra,rc11 ok 28
// run: args=--symmetry args=on args=--jobs args=2 ra,rc11 ok 28
#include "../common.h"

static atomic_int flag, word;

static void *come(void *unused) {
  while (!load(&flag, rlx))
    ;
  int v = load(&word, rlx);
  while (!atomic_compare_exchange_strong_explicit(&word, &v, v, rlx, rlx))
    ;
  return unused;
}

static void *raise_again(void *unused) {
  int v = load(&word, rlx);
  while (!atomic_compare_exchange_strong_explicit(&word, &v, v & ~3, rlx, rlx))
    ;
  store(&flag, 2, rlx);
  return unused;
}

int main(void) {
  pthread_t ids[3];
  pthread_create(&ids[0], NULL, come, NULL);
  pthread_create(&ids[1], NULL, come, NULL);
  pthread_create(&ids[2], NULL, raise_again, NULL);
  store(&flag, 1, rel);
  for (int i = 0; i < 3; i++)
    pthread_join(ids[i], NULL);
}
