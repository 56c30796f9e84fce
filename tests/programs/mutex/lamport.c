// SPDX-License-Identifier: MIT
// Lamport's fast mutex of 1987, each thread once through.
// run: flags=-DN=2 sc,tso,rc11,imm,lkmm ok 16; ra ok 28
// run: flags=-DSPIN flags=-DN=2 sc,tso,rc11,imm ok 16; ra ok 28
// run: big flags=-DN=3 sc,rc11 ok 9216
#include "../common.h"

atomic_int b[N + 1], x, y;

static void lock(int i) {
  for (;;) {
    store(&b[i], 1, sc);
    store(&x, i, sc);
    if (load(&y, sc) != 0) {
      store(&b[i], 0, sc);
      await(load(&y, sc) == 0);
      continue;
    }
    store(&y, i, sc);
    if (load(&x, sc) == i)
      return;
    store(&b[i], 0, sc);
    for (int j = 1; j <= N; j++)
      await(load(&b[j], sc) == 0);
    if (load(&y, sc) == i)
      return;
    await(load(&y, sc) == 0);
  }
}

static void *thread(void *number) {
  int i = (int)(uintptr_t)number + 1;
  lock(i);
  store(&y, 0, sc);
  store(&b[i], 0, sc);
  return NULL;
}

int main(void) {
  run(N, thread);
  return 0;
}
