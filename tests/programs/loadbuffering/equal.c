// SPDX-License-Identifier: MIT
// Threads that are equal, and loads that are buffered: a thread reads what
// comes of its own update, which it makes later. One graph does not stand for
// those of equal threads then.
// args: --symmetry on
// run: sc,tso,ra,rc11 ok; xmm error assertion
#include "../common.h"

static atomic_int x, y;

static void *left(void *unused) {
  int seen = load(&x, rlx);
  int before = fetch_add(&y, 1, rlx);
  assert(seen != before + 1); // BUG
  return unused;
}

static void *right(void *unused) {
  store(&x, load(&y, rlx), rlx);
  return unused;
}

int main(void) {
  pthread_t l[2], r;
  for (int i = 0; i < 2; i++)
    pthread_create(&l[i], NULL, left, NULL);
  pthread_create(&r, NULL, right, NULL);
  join(l, 2);
  pthread_join(r, NULL);
  return 0;
}
