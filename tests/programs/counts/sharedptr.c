// SPDX-License-Identifier: MIT
// Two threads set one pointer and then work on whatever it points to; N reads
// between are of a location that one thread may write: 10 + 4 N.
// run: flags=-DN=0 all ok 10
// run: flags=-DN=1 all ok 14
// run: flags=-DN=2 all ok 18
// run: flags=-DN=10 all ok 50; lkmm ok 50
// run: flags=-DN=100 all ok 410
#include "../common.h"

atomic_int x = 3, y = 4;
_Atomic(atomic_int *) p;

static void work(atomic_int *mine, atomic_int *other) {
  store(&p, mine, rel);
  for (int i = 0; i < N; i++)
    load(other, acq);
  atomic_int *q = load(&p, acq);
  int r = load(q, acq);
  store(q, r + 3, rel);
}

static void *first(void *unused) {
  work(&y, &x);
  return unused;
}

static void *second(void *unused) {
  work(&x, &y);
  return unused;
}

int main(void) {
  spawn(first);
  spawn(second);
  return 0;
}
