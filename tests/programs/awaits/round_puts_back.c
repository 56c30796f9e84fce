// SPDX-License-Identifier: MIT
// An update of a failed round puts back what it finds. A load behind the loop
// reads what the update has written, at once, and what depends on that may be
// older than what comes with the write that the update has read. Without the
// round the load reads that write itself.
//
//  1  a loop that waits
//  2  the same with an update that acquires: the load is behind it
//  3  two rounds at most, as a loop that tries again
//
// run: flags=-DP=1 armv8,armv7,power,riscv,lkmm incomplete
// run: args=--unroll=2 flags=-DP=1 armv8,armv7,power,lkmm error assertion
// run: flags=-DP=2 armv8,armv7,power,riscv,lkmm ok
// run: flags=-DP=3 armv8,armv7,power,lkmm error assertion
// run: args=--definition flags=-DP=3 armv8,lkmm error assertion
#include "../common.h"

static atomic_int x, y, z;

static void *waits(void *unused) {
#if P == 3
  bool is_over = false;
  for (int n = 0; n < 2 && !is_over; n++)
    if (!(is_over = load(&y, rlx)) && swap(&x, 1, rlx) != 1)
      return unused;
  if (!is_over)
    return unused;
#else
  while (!load(&y, rlx))
    if (swap(&x, 1, P == 2 ? acq : rlx) != 1)
      return unused;
#endif
  int last = load(&x, rlx);
  int seen = load(&z + (last ^ last), rlx);
  assert(!last || seen); // BUG
  return unused;
}

static void *ends_wait(void *unused) {
  store(&y, 1, rlx);
  return unused;
}

static void *tells(void *unused) {
  store(&z, 1, rlx);
  store(&x, 1, rel);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  pthread_create(&t, NULL, ends_wait, NULL);
  pthread_create(&t, NULL, tells, NULL);
  return 0;
}
