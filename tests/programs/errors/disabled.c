// SPDX-License-Identifier: MIT
// A check that is switched off, or only warns, does not stop the program: what
// comes after a failed assertion is explored too.
// run: sc,rc11 error assertion
// run: args=--warn=assertion sc,rc11 error division-by-zero
// run: args=--disable=assertion sc,rc11 error division-by-zero
// run: args=--disable=assertion args=--disable=division-by-zero sc,rc11 ok 2
#include "../common.h"

int main(void) {
  long x = heddle_choose(0, 1);
  assert(x == 1);
  heddle_assert(x == 1);
  return (int)(5 / x) - 5 > 0;
}
