// SPDX-License-Identifier: MIT
// An operator on an atomic is one RMW, also where a compiler needs a loop: two
// threads give two executions, and none is lost.
// run: flags=-DT=int flags=-DOP(x)=x*=2 sc,rc11 ok 2
// run: flags=-DT=int flags=-DOP(x)=x++ sc,rc11 ok 2
// run: flags=-DT=int flags=-DOP(x)=x/=1 sc,rc11 ok 2
// run: flags=-DT=double flags=-DOP(x)=x+=1 sc,rc11 ok 2
// run: flags=-DT=float flags=-DOP(x)=x*=2 sc,rc11 ok 2
// run: flags=-DT=char flags=-DOP(x)=x<<=1 sc,rc11 ok 2
#include "../common.h"

_Atomic T x = 1;

static void *thread(void *unused) {
  OP(x);
  return unused;
}

int main(void) {
  run(2, thread);
  return 0;
}
