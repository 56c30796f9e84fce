// SPDX-License-Identifier: MIT
// Arithmetic that C does not define.
// run: flags=-DDO=a/zero sc,rc11 error division-by-zero
// run: flags=-DDO=a%zero sc,rc11 error division-by-zero
// run: flags=-DDO=(unsigned)a/(unsigned)zero sc,rc11 error division-by-zero
// run: flags=-DDO=a<<32 sc,rc11 error shift
// run: flags=-DDO=a<<-big sc,rc11 error shift
// run: flags=-DDO=a>>zero sc,rc11 ok
// run: flags=-DDO=a/2 sc,rc11 ok
// run: flags=-DDO=(unsigned)big+1 sc,rc11 ok
// run: flags=-DDO=big+a sc,rc11 ok
// run: flags=-DDO=(-big-1)/(zero-1) sc,rc11 error division-overflow
// run: flags=-DDO=big+a args=--error=overflow sc,rc11 error overflow
#include "../common.h"
#include <limits.h>

static int a = 7, zero = 0, big = INT_MAX;

int main(void) {
  long result = DO; // BUG
  (void)result;
  (void)a;
  (void)zero;
  (void)big;
  return 0;
}
