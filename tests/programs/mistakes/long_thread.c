// SPDX-License-Identifier: MIT
// One execution of one long thread costs time in proportion to its length: a
// thread of 10,000 loads, stores or updates is a matter of milliseconds. (The
// limit is a hundred times that, for slow builds.)
// args: --max-time=5 --max-events=100000
// run: flags=-DDO=(void)load(&x,acq) sc,tso,pso,ra,rc11 ok 1
// run: flags=-DDO=store(&x,i,rel) sc,tso,pso,ra,rc11 ok 1
// run: flags=-DDO=(void)fetch_add(&x,1,sc) sc,tso,pso,ra,rc11 ok 1
// run: flags=-DDO=(void)fetch_add(&x,0,rlx) sc,tso,pso,ra,rc11 ok 1
#include "../common.h"

static atomic_int x;

static void *thread(void *unused) {
  for (int i = 0; i < 10000; i++)
    DO;
  return unused;
}

int main(void) {
  run(1, thread);
  return 0;
}
