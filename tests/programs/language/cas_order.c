// SPDX-License-Identifier: MIT
// A compare-exchange that fails has its failure order: it does not acquire
// when that is relaxed, and one that succeeds does not have it.
// run: flags=-DEXPECT=1 flags=-DSUCCESS=acq flags=-DFAILURE=rlx sc,rc11 ok
// run: flags=-DEXPECT=1 flags=-DSUCCESS=rlx flags=-DFAILURE=acq rc11 error race
// run: flags=-DEXPECT=9 flags=-DSUCCESS=acq flags=-DFAILURE=rlx rc11 error race
// run: flags=-DEXPECT=9 flags=-DSUCCESS=rlx flags=-DFAILURE=acq sc,rc11 ok
#include "../common.h"

static int data;
static atomic_int flag;

static void *writer(void *unused) {
  data = 1; // BUG
  store(&flag, 1, rel);
  return unused;
}

static void *reader(void *unused) {
  int seen = EXPECT;
  atomic_compare_exchange_strong_explicit(&flag, &seen, 2, SUCCESS, FAILURE);
  if (seen == 1)
    assert(data == 1); // BUG
  return unused;
}

int main(void) {
  spawn(writer);
  spawn(reader);
  return 0;
}
