// SPDX-License-Identifier: MIT
// A weak compare-exchange fails for no reason with what a thread has stored for
// which a day has passed, and then takes what another one has stored: its clock
// is a day later than that, or two, and it need not see what the first has
// done. (On ARM the load acquires whether the exchange fails or not.)
// run: args=--disable=hang rc11,ra,imm,c11 error assertion
// run: args=--disable=hang args=--without=all rc11,imm error assertion
// run: args=--disable=hang args=--weak-cas=strong rc11,ra ok 20
// run: args=--disable=hang sc,tso,armv8 ok 44
//
// That a clock is looked at may be known late (RARE): when others have been left
// out already.
// run: flags=-DRARE args=--disable=hang rc11,imm error assertion
// run: flags=-DRARE args=--disable=hang args=--jobs=2 rc11 error assertion
#include "../common.h"
#include <time.h>

static atomic_int x, is_late;

#ifdef RARE
static atomic_int go;
#endif

static void *looks(void *unused) {
#ifdef RARE
  if (!load(&go, rlx))
    return unused;
#endif
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
#ifdef RARE
  if (!load(&go, rlx))
    return unused;
#endif
  assert(time(NULL) < 2 * 86400 || load(&is_late, rlx));
  return unused;
}

int main(void) {
  spawn(takes);
  spawn(looks);
  spawn(tells);
#ifdef RARE
  store(&go, 1, rlx);
#endif
  return 0;
}
