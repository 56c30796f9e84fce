// SPDX-License-Identifier: MIT
// A plain write races with a failed round that waits for what is written behind
// it; who reads the newest value comes after both. Where release sequences are
// those of C++11, races are looked for in complete executions.
// WAITED_FOR: the reader waits before anything was written.
// run: rc11,imm,c11 error race
// run: args=--release-sequences=c11 rc11,armv8 error race
// run: flags=-DWAITED_FOR args=--no-await-check rc11,c11 error race
// run: flags=-DRIGHT rc11,c11 ok 1
#include "../common.h"

static atomic_int x = 5, y;

static void *reader(void *unused) {
  while (load(&x, acq) != 1) // BUG
    continue;
  return unused;
}

static void *writer(void *unused) {
#ifdef WAITED_FOR
  while (load(&y, rlx) == 1)
    continue;
#endif
#ifdef RIGHT
  store(&x, 0, rlx);
#else
  *(int *)&x = 0; // BUG
#endif
  store(&x, 1, rel);
  return unused;
}

static void *other(void *unused) {
  store(&y, 1, rlx);
  return unused;
}

int main(void) {
  pthread_t r, w, o;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&o, NULL, other, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
}
