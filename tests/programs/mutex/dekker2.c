// SPDX-License-Identifier: MIT
// Two threads that cannot both be first, and two that work only if both were:
// the N accesses are never reached where sc means something.
// run: flags=-DN=2 sc,tso,rc11,imm ok 6; ra ok 52
// run: flags=-DN=3 sc,tso,rc11,imm ok 6; ra ok 166
// run: flags=-DN=4 sc,tso,rc11,imm ok 6; ra ok 660
#include "../common.h"

atomic_int x, y, p, q;

static void *first(void *unused) {
  store(&y, 1, sc);
  if (load(&x, sc) == 0)
    store(&p, 1, rlx);
  return unused;
}

static void *second(void *unused) {
  store(&x, 1, sc);
  if (load(&y, sc) == 0)
    store(&q, 1, rlx);
  return unused;
}

static void *writer(void *unused) {
  if (load(&p, rlx) && load(&q, rlx))
    for (int i = 0; i < N; i++)
      store(&x, i, rlx);
  return unused;
}

static void *reader(void *unused) {
  if (load(&p, rlx) && load(&q, rlx))
    for (int i = 0; i < N; i++)
      load(&x, rlx);
  return unused;
}

int main(void) {
  spawn(first);
  spawn(second);
  spawn(writer);
  spawn(reader);
  return 0;
}
