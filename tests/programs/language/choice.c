// SPDX-License-Identifier: MIT
// A choice is real: every value of its range is an execution.
// run: flags=-DCHOICE=heddle_choose(3,5) sc,rc11 ok 3
// run: flags=-DCHOICE=__VERIFIER_nondet_bool() sc,rc11 ok 2
// run: flags=-DCHOICE=__VERIFIER_nondet_int() sc,rc11,xmm,imm incomplete 4
// run: flags=-DCHOICE=__VERIFIER_nondet_uchar() rc11 incomplete 4
// run: flags=-DCHOICE=__VERIFIER_nondet_int() flags=-DASSERT=(v!=2) sc,rc11 error assertion
// run: flags=-DCHOICE=lrand48() rc11 incomplete 4
// run: flags=-DCHOICE=rand() sc,rc11 incomplete 4
// run: flags=-DCHOICE=random() rc11 incomplete 4
// run: flags=-DCHOICE=rand_r(&seed) rc11 incomplete 4
// run: flags=-DCHOICE=rand() flags=-DASSERT=(v!=3) rc11 error assertion
// run: flags=-DCHOICE=arc4random_uniform(3) rc11 ok 3
// run: flags=-DCHOICE=arc4random_uniform(5) rc11 incomplete 4
// run: flags=-DCHOICE=heddle_choose(-1,1)*heddle_choose(0,3) sc,rc11 ok 12
// run: flags=-DCHOICE=heddle_choose(1,4) flags=-DASSUME=(v%2==0) sc,rc11 ok 2
// run: flags=-DCHOICE=heddle_choose(0,100) flags=-DASSERT=(v!=77) sc,rc11 error assertion
#include "../common.h"

#ifndef ASSUME
#define ASSUME true
#endif
#ifndef ASSERT
#define ASSERT true
#endif

static unsigned seed;

int main(void) {
  (void)seed;
  long v = CHOICE;
  heddle_assume(ASSUME);
  heddle_assert(ASSERT); // BUG
  (void)v;
  return 0;
}
