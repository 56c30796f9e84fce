// SPDX-License-Identifier: MIT
// Choices have 64 bits, and are explored one after the other from the lowest: a
// range that is too large to be explored is a matter of time, not an error.
// run: flags=-DLO=0 flags=-DHI=69999 flags=-DBAD=70000 sc,rc11 ok 70000
// run: flags=-DLO=-4 flags=-DHI=4999 flags=-DBAD=5000 sc,rc11,imm ok 5004
// run: args=--jobs=3 flags=-DLO=0 flags=-DHI=69999 flags=-DBAD=-1 rc11 ok 70000
// run: flags=-DLO=0 flags=-DHI=69999 flags=-DBAD=69999 rc11 error assertion
// run: flags=-DLO=LONG_MIN flags=-DHI=LONG_MAX flags=-DBAD=LONG_MIN+5000 rc11 error assertion
// run: flags=-DLO=LONG_MAX-1 flags=-DHI=LONG_MAX flags=-DBAD=0 rc11 ok 2
// run: flags=-DLO=LONG_MIN flags=-DHI=LONG_MIN flags=-DBAD=0 rc11 ok 1
// run: args=--max-executions=9999 flags=-DLO=LONG_MIN flags=-DHI=LONG_MAX flags=-DBAD=0 rc11 incomplete
// run: flags=-DLO=1 flags=-DHI=0 flags=-DBAD=0 rc11 error bad-argument
#include "../common.h"

#include <limits.h>

int main(void) {
  long n = heddle_choose(LO, HI); // BUG
  assert(n >= LO && n <= HI);
  assert(n != BAD); // BUG
  return 0;
}
