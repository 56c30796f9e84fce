// SPDX-License-Identifier: MIT
// LBn-pairs: N threads, two and two of which buffer loads; 3 executions of a
// pair without a cycle, 4 with it.
// run: flags=-DN=2 rc11 ok 3; xmm,imm ok 4
// run: flags=-DN=4 rc11 ok 9; xmm,imm ok 16
// run: flags=-DN=6 rc11 ok 27; xmm,imm ok 64
// run: big flags=-DN=14 rc11 ok 2187; xmm ok 16384
// run: big flags=-DN=16 rc11 ok 6561; xmm ok 65536
#include "../common.h"

atomic_int x[N];

static void *thread(void *arg) {
  int i = (int)(long)arg;
  load(&x[i], rlx);
  store(&x[i ^ 1], 1, rlx);
  return NULL;
}

int main(void) {
  pthread_t t;
  for (long i = 0; i < N; i++)
    pthread_create(&t, NULL, thread, (void *)i);
  return 0;
}
