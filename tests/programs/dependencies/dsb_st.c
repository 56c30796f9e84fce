// SPDX-License-Identifier: MIT
// Store buffering in assembly: DSB ST orders a store with the load behind it,
// DMB ST does not.
// run: flags=-DBARRIER=DSB armv8 ok 3
// run: flags=-DBARRIER=DSB_ISH armv8 ok 3
// run: flags=-DBARRIER=DMB armv8 error assertion
#include "../common.h"

#define DSB "dsb st"
#define DSB_ISH "dsb ishst"
#define DMB "dmb ishst"

static atomic_int x, y;
static int r1, r2;

static void *left(void *unused) {
  store(&x, 1, rlx);
  __asm__ volatile(BARRIER ::: "memory");
  r1 = load(&y, rlx);
  return unused;
}

static void *right(void *unused) {
  store(&y, 1, rlx);
  __asm__ volatile(BARRIER ::: "memory");
  r2 = load(&x, rlx);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(r1 || r2); // BUG
}
