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
// run: flags=-DDO=(int)(a*1e9) sc,rc11 error conversion
// run: flags=-DDO=(int)-2147483648.9 sc,rc11 ok
// run: flags=-DDO=(unsigned)(a-8.5) sc,rc11 error conversion
// run: flags=-DDO=(unsigned)(a-7.5) sc,rc11 ok
// run: flags=-DDO=(unsigned_char)(a*40.0f) sc,rc11 error conversion
// run: flags=-DDO=(long)(a*1e30L) sc,rc11 error conversion
// run: flags=-DDO=(long)(0.0/zero) sc,rc11 error conversion
// run: flags=-DDO=(int)(a*1e9) args=--disable=conversion sc,rc11 ok
// run: flags=-DDO=__builtin_clz(zero) sc,rc11 error bad-argument
// run: flags=-DDO=__builtin_ctzl(zero) sc,rc11 error bad-argument
// run: flags=-DDO=__builtin_clz(a)+__builtin_ctz(a) sc,rc11 ok
// run: flags=-DDO=__builtin_ffs(zero) sc,rc11 ok
// run: flags=-DDO=big+a args=--error=overflow sc,rc11 error overflow
#include "../common.h"
#include <limits.h>

typedef unsigned char unsigned_char;
static int a = 7, zero = 0, big = INT_MAX;

int main(void) {
  long result = DO; // BUG
  (void)result;
  (void)a;
  (void)zero;
  (void)big;
  return 0;
}
