// SPDX-License-Identifier: MIT
// Main moves an index on while the threads that it started use it:
// (2 N - 1)!!.
// run: flags=-DN=2 all ok 3
// run: flags=-DN=3 all ok 15
// run: flags=-DN=4 all ok 105
// run: flags=-DN=5 all ok 945
#include "../common.h"

atomic_int a[N], idx;

static void *thread(void *unused) {
  store(&a[load(&idx, rlx)], 1, rlx);
  return unused;
}

int main(void) {
  pthread_t ids[N];
  for (int i = 0; i < N; i++) {
    pthread_create(&ids[i], NULL, thread, NULL);
    int v = load(&idx, rlx);
    if (i < N - 1)
      store(&idx, v + 1, rlx);
  }
  join(ids, N);
  for (int i = 0; i < N; i++)
    load(&a[i], rlx);
  return 0;
}
