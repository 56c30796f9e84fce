// SPDX-License-Identifier: MIT
// A flag that publishes data: the data races unless the flag synchronises.
// run: flags=-DSEND=rel flags=-DTAKE=acq sc,rc11 ok
// run: flags=-DSEND=rlx flags=-DTAKE=acq rc11 error race
// run: flags=-DSEND=rel flags=-DTAKE=rlx rc11 error race
// run: args=--disable args=race flags=-DSEND=rlx flags=-DTAKE=rlx rc11 ok
// run: args=--warn args=race flags=-DSEND=rlx flags=-DTAKE=rlx rc11 ok
#include "../common.h"

static int data;
static atomic_int flag;

static void *writer(void *unused) {
  data = 1; // BUG
  store(&flag, 1, SEND);
  return unused;
}

static void *reader(void *unused) {
  if (load(&flag, TAKE)) {
    int seen = data; // BUG
    (void)seen;
  }
  return unused;
}

int main(void) {
  spawn(writer);
  spawn(reader);
  return 0;
}
