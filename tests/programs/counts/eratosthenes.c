// SPDX-License-Identifier: MIT
// Two identical threads sieve one array.
// run: flags=-DN=2 all ok 16
// run: flags=-DN=3 sc ok 34; tso ok 52; ra,rc11,imm ok 54
// run: flags=-DN=4 sc ok 136; tso ok 208; ra,rc11,imm ok 216
// run: flags=-DN=5 sc ok 398; tso ok 1202; ra,rc11,imm ok 1512
// run: big flags=-DN=7 rc11 ok 17064
// run: big flags=-DN=9 rc11 ok 414738
#include "../common.h"

atomic_int a[N];

static void *sieve(void *unused) {
  for (int i = 0; i < N; i++) {
    if (load(&a[i], acq) != 0)
      continue;
    store(&a[i], 1, rel);
    for (int j = 2 * i + 2; j < N; j += i + 2)
      store(&a[j], 2, rel);
  }
  return unused;
}

int main(void) {
  run(2, sieve);
  return 0;
}
