// SPDX-License-Identifier: MIT
// An update of AArch64 whose old value no register gets: it acquires nothing,
// and a barrier for loads does not wait for its read.
// run: flags=-DSTORE flags=--target=aarch64-linux-gnu armv8 error assertion
// run: flags=-DZERO flags=--target=aarch64-linux-gnu armv8 error assertion
// run: flags=-DZERO_LOADS flags=--target=aarch64-linux-gnu armv8 error assertion
// run: flags=-DACQUIRES flags=--target=aarch64-linux-gnu armv8 ok 3
// run: flags=-DLOADS flags=--target=aarch64-linux-gnu armv8 ok 3
// run: flags=-DBARRIER flags=--target=aarch64-linux-gnu armv8 ok 3
#include <assert.h>
#include <pthread.h>

static int x, y;

#ifdef STORE
#define CODE "stadd %w2, %1\n dmb ishld\n"
#elif defined ZERO
#define CODE "ldadda %w2, wzr, %1\n"
#elif defined ZERO_LOADS
#define CODE "ldadd %w2, wzr, %1\n dmb ishld\n"
#elif defined ACQUIRES
#define CODE "ldadda %w2, %w0, %1\n"
#elif defined LOADS
#define CODE "ldadd %w2, %w0, %1\n dmb ishld\n"
#else
#define CODE "stadd %w2, %1\n dmb ish\n"
#endif

static void *writer(void *arg) {
  __asm__ volatile("str %w2, %0\n dmb ish\n str %w2, %1"
                   : "=Q"(x), "=Q"(y)
                   : "r"(1)
                   : "memory");
  return arg;
}

int main(void) {
  pthread_t t;
  int old, r;
  pthread_create(&t, NULL, writer, NULL);
  __asm__ volatile("mov %w0, wzr\n" CODE
                   : "=&r"(old), "+Q"(y)
                   : "r"(1)
                   : "memory");
  __asm__ volatile("ldr %w0, %1" : "=r"(r) : "Q"(x) : "memory");
  pthread_join(t, NULL);
  assert(y != 2 || r == 1); // BUG
  return 0;
}
