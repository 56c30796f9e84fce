// SPDX-License-Identifier: MIT
// volatile is not atomic: a flag of that kind races.
// run: flags=-DFLAG=volatile\ int sc,rc11 error race
// run: flags=-DFLAG=atomic_int sc,rc11 ok
#include "../common.h"

static FLAG flag;

static void *writer(void *unused) {
  flag = 1; // BUG
  return unused;
}

static void *reader(void *unused) {
  int seen = flag; // BUG
  (void)seen;
  return unused;
}

int main(void) {
  spawn(writer);
  spawn(reader);
  return 0;
}
