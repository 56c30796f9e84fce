// SPDX-License-Identifier: MIT
// N threads insert four values each into a hash table of 128 slots; only from
// twelve threads on do they collide: 8^(N-11). Thread 0 inserts a 0, which is
// a compare-exchange from 0 to 0.
// run: flags=-DN=11 all ok 1
// run: flags=-DN=12 all ok 8
// run: flags=-DN=13 all ok 64
// run: flags=-DN=14 all ok 512
// run: big flags=-DN=15 all ok 4096
#include "../common.h"

#define SLOTS 128

atomic_int table[SLOTS];

static void *thread(void *number) {
  for (int i = 0; i < 4; i++) {
    int w = 11 * i + (int)(uintptr_t)number;
    int slot = 7 * w % SLOTS;
    while (!cas(&table[slot], 0, w, rlx, rlx))
      slot = (slot + 1) % SLOTS;
  }
  return NULL;
}

int main(void) {
  run(N, thread);
  return 0;
}
