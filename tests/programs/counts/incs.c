// SPDX-License-Identifier: MIT
// N threads add 1 to each of M counters: (N!)^M.
// run: flags=-DM=2 flags=-DN=2 all ok 4
// run: flags=-DM=2 flags=-DN=3 all ok 36
// run: flags=-DM=2 flags=-DN=4 all ok 576
// run: big flags=-DM=2 flags=-DN=5 all ok 14400
// run: flags=-DM=3 flags=-DN=2 all ok 8
// run: flags=-DM=3 flags=-DN=3 all ok 216
// run: big flags=-DM=3 flags=-DN=4 all ok 13824
#include "../common.h"

atomic_int counters[M];

static void *thread(void *unused) {
  for (int i = 0; i < M; i++)
    fetch_add(&counters[i], 1, rlx);
  return unused;
}

int main(void) {
  run(N, thread);
  return 0;
}
