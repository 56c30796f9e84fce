// SPDX-License-Identifier: MIT
// Litmus tests at the end of long threads, whose other accesses have nothing to
// choose: relations of many events, of which only the last ones matter. SB has 3
// executions under sc and 4 elsewhere; MP with release and acquire has 3 under
// all models; LB has 4 where loads may be buffered, else 3.
// run: flags=-DSB flags=-DN=10 sc ok 3; tso,pso,ra,rc11,imm,armv8 ok 4
// run: flags=-DSB flags=-DN=40 sc ok 3; tso,pso,ra,rc11,imm,armv8,c11,jam21 ok 4
// run: flags=-DSB flags=-DN=90 sc ok 3; tso,rc11,imm,armv8,armv7,power,riscv ok 4
// run: flags=-DMP flags=-DN=40 sc,tso,pso,ra,rc11,imm,armv8,c11 ok 3
// run: flags=-DMP flags=-DN=90 sc,tso,rc11,imm,armv8,armv7,power,riscv ok 3
// run: flags=-DLB flags=-DN=40 sc,rc11 ok 3; imm,armv8 ok 4
// run: flags=-DLB flags=-DN=90 rc11 ok 3; imm,armv8,armv7,power,riscv ok 4
#include "../common.h"

static atomic_int x, y, fillers[2][N];

static void fill(unsigned t) {
  for (unsigned i = 0; i < N; i++)
    store(&fillers[t][i], 1, rlx);
}

static void *first(void *unused) {
  fill(0);
#ifdef SB
  store(&x, 1, rlx);
  (void)load(&y, rlx);
#elif defined MP
  store(&x, 1, rlx);
  store(&y, 1, rel);
#else
  (void)load(&x, rlx);
  store(&y, 1, rlx);
#endif
  return unused;
}

static void *second(void *unused) {
  fill(1);
#ifdef SB
  store(&y, 1, rlx);
  (void)load(&x, rlx);
#elif defined MP
  (void)load(&y, acq);
  (void)load(&x, rlx);
#else
  (void)load(&y, rlx);
  store(&x, 1, rlx);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
