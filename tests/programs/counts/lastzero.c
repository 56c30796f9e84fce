// SPDX-License-Identifier: MIT
// A reader looks for the last zero of an array that N writers fill, each from
// its left neighbour: 2^(N-2) (N + 3).
// run: flags=-DN=3 all ok 12
// run: flags=-DN=5 all ok 64
// run: flags=-DN=8 all ok 704
// run: flags=-DN=10 all ok 3328
// run: big flags=-DN=15 sc,tso,ra,rc11 ok 147456
#include "../common.h"

atomic_int a[N + 1];

static void *reader(void *unused) {
  for (int i = N; load(&a[i], acq) != 0; i--) {
  }
  return unused;
}

static void *writer(void *number) {
  uintptr_t j = (uintptr_t)number + 1;
  int left = load(&a[j - 1], acq);
  store(&a[j], left + 1, rel);
  return NULL;
}

int main(void) {
  spawn(reader);
  run(N, writer);
  return 0;
}
