// SPDX-License-Identifier: MIT
// An atomic and a plain access to one object race like two plain ones, if one
// of them writes; two reads never do.
// run: flags=-DOTHER=(void)__atomic_load_n(&x,__ATOMIC_SEQ_CST) sc,rc11 error race
// run: flags=-DOTHER=__atomic_store_n(&x,2,__ATOMIC_SEQ_CST) sc,rc11 error race
// run: flags=-DOTHER=__atomic_fetch_add(&x,2,__ATOMIC_SEQ_CST) sc,rc11 error race
// run: flags=-DREAD flags=-DOTHER=(void)__atomic_load_n(&x,__ATOMIC_SEQ_CST) sc,rc11 ok
// run: flags=-DREAD flags=-DOTHER=__atomic_store_n(&x,2,__ATOMIC_SEQ_CST) sc,rc11 error race
#include "../common.h"

static int x;

static void *plain(void *unused) {
#ifdef READ
  int seen = x; // BUG
  (void)seen;
#else
  x = 1; // BUG
#endif
  return unused;
}

static void *atomic(void *unused) {
  OTHER; // BUG
  return unused;
}

int main(void) {
  spawn(plain);
  spawn(atomic);
  return 0;
}
