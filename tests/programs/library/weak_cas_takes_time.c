// SPDX-License-Identifier: MIT
// A weak compare-exchange fails for no reason with what a thread has stored for
// which a day has passed, and then takes what another one has stored: its clock
// is a day later than that, or two, and it need not see what the first has
// done. (On ARM the load acquires whether the exchange fails or not.)
// run: args=--disable=hang rc11,ra,imm,c11 error assertion
// run: args=--disable=hang args=--without=all rc11,imm error assertion
// run: args=--disable=hang args=--weak-cas=strong rc11,ra ok 20
// run: args=--disable=hang sc,tso,armv8 ok 44
#include "../common.h"
#include <time.h>

static atomic_int x, is_late;

static void *looks(void *unused) {
  if (time(NULL) > 80000)
    store(&is_late, 1, rlx);
  store(&x, 2, rel);
  return unused;
}

static void *tells(void *unused) {
  store(&x, 2, rlx);
  return unused;
}

static void *takes(void *unused) {
  int old = 2;
  while (!atomic_compare_exchange_weak_explicit(&x, &old, 5, acq, rlx))
    if (old != 2)
      return unused;
  assert(time(NULL) < 2 * 86400 || load(&is_late, rlx));
  return unused;
}

int main(void) {
  spawn(takes);
  spawn(looks);
  spawn(tells);
  return 0;
}
