// SPDX-License-Identifier: MIT
// N threads in a ring: each reads what the one before it writes. KIND is how the
// value goes on; thread 0 always writes 1.
//   0  LBn: every thread writes 1, whatever it reads
//   1  LBn+ctrl: it writes only if it reads 1
//   2  LBn+data: it writes what it reads
// run: flags=-DN=2 rc11 ok 3; xmm,imm ok 4
// run: flags=-DN=3 rc11 ok 7; xmm,imm ok 8
// run: flags=-DN=5 rc11 ok 31; xmm,imm ok 32
// run: flags=-DN=7 rc11 ok 127; xmm,imm ok 128
// run: flags=-DN=3 flags=-DKIND=1 rc11 ok 3; xmm ok 4
// run: flags=-DN=8 flags=-DKIND=1 rc11 ok 8; xmm ok 9
// run: flags=-DN=16 flags=-DKIND=1 rc11 ok 16; xmm ok 17
// run: flags=-DN=3 flags=-DKIND=2 rc11 ok 7; xmm ok 8
// run: flags=-DN=7 flags=-DKIND=2 rc11 ok 127; xmm ok 128
// run: big flags=-DN=16 rc11 ok 65535; xmm ok 65536
// run: big flags=-DN=16 flags=-DKIND=2 rc11 ok 65535; xmm ok 65536
#include "../common.h"

#ifndef KIND
#define KIND 0
#endif

atomic_int x[N];

static void *thread(void *arg) {
  int i = (int)(long)arg;
  int a = load(&x[i], rlx);
  if (i == 0 || KIND == 0)
    store(&x[(i + 1) % N], 1, rlx);
  else if (KIND == 2)
    store(&x[(i + 1) % N], a, rlx);
  else if (a)
    store(&x[(i + 1) % N], 1, rlx);
  return NULL;
}

int main(void) {
  pthread_t t;
  for (long i = 0; i < N; i++)
    pthread_create(&t, NULL, thread, (void *)i);
  return 0;
}
