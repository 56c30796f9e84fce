// SPDX-License-Identifier: MIT
// N threads increment one or two counters in a critical section: N!.
// run: flags=-DN=2 all ok 2
// run: flags=-DN=3 all ok 6
// run: flags=-DN=4 all ok 24
// run: flags=-DN=5 all ok 120
// run: flags=-DN=6 all ok 720
// run: big flags=-DN=7 all ok 5040
// run: flags=-DN=4 flags=-DTWO all ok 24
// run: flags=-DN=5 flags=-DTWO all ok 120
#include "../common.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *thread(void *unused) {
  pthread_mutex_lock(&mutex);
  store(&x, load(&x, rlx) + 1, rlx);
#ifdef TWO
  store(&y, load(&y, rlx) + 1, rlx);
#endif
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  run(N, thread);
  assert(load(&x, rlx) == N);
  return 0;
}
