// SPDX-License-Identifier: MIT
// The life of an object: use after its end, ends that are none.
// run: flags=-DDO=free(p),p[0]=1 sc,rc11 error use-after-free
// run: flags=-DDO=free(p),(void)*p sc,rc11 error use-after-free
// run: flags=-DDO=p=realloc(p,64),q[0]=1 sc,rc11 error use-after-free
// run: flags=-DDO=free(p),free(p) sc,rc11 error double-free
// run: flags=-DDO=free(p+1) sc,rc11 error invalid-free
// run: flags=-DDO=free(&global) sc,rc11 error invalid-free
// run: flags=-DDO=free(&local) sc,rc11 error invalid-free
// run: flags=-DDO=*dangling()=1 sc,rc11 error use-after-free
// run: flags=-DDO=(void)(p[0]=1),free(p) sc,rc11 ok
#include "../common.h"

static int global;
static int *published;

static int *dangling(void) {
  int gone = 5;
  published = &gone;
  return published;
}

int main(void) {
  int local = 1, *p = malloc(4 * sizeof *p), *q = p;
  DO; // BUG
  (void)local;
  (void)q;
  (void)dangling;
  (void)global;
  return 0;
}
