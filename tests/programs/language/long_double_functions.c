// SPDX-License-Identifier: MIT
// The functions of long double, its text in both directions, and its classes.
// expect: all ok 1
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile long double zero;

static bool prints(const char *format, long double x, const char *text) {
  char got[128];
  snprintf(got, sizeof got, format, x);
  return strcmp(got, text) == 0;
}

static void round_all(void) {
  assert(fabsl(zero - 1) == 1 && copysignl(3, zero - 1) == -3);
  assert(signbit(copysignl(zero, -1.0L)) && !signbit(zero));
  assert(floorl(zero - 1.5L) == -2 && ceill(zero - 1.5L) == -1);
  assert(truncl(zero - 1.5L) == -1 && truncl(zero + 0x1.8p62L) == 0x1.8p62L);
  assert(truncl(zero + 0xffffffffffffp-4L) == 0xfffffffffffL);
  assert(roundl(zero + 2.5L) == 3 && rintl(zero + 2.5L) == 2);
  assert(nearbyintl(zero + 3.5L) == 4 && lroundl(zero - 0.5L) == -1);
  assert(llrintl(zero + 0x1p40L + 0.5L) == 1L << 40);
  assert(fminl(zero, 1) == 0 && fmaxl(zero, 1) == 1 && fdiml(3, zero) == 3);
  assert(fmodl(zero + 5.5L, 2) == 1.5L && fmodl(zero - 7, 3) == -1);
}

static void take_apart(void) {
  int power;
  long double whole;
  assert(frexpl(zero + 12, &power) == 0.75L && power == 4);
  assert(frexpl(zero + 0x1p-16440L, &power) == 0.5L && power == -16439);
  assert(ldexpl(zero + 0.75L, 4) == 12 && scalbnl(zero + 1, -3) == 0.125L);
  assert(isinf(ldexpl(zero + 1, 20000)) && ldexpl(zero + 1, -20000) == 0);
  assert(ldexpl(zero + 0x1p-16383L, 16383) == 1);
  assert(ldexpl(zero + 1, -16445) == 0x1p-16445L);
  assert(modfl(zero - 2.25L, &whole) == -0.25L && whole == -2);
  double part;
  assert(frexp((double)zero + 12, &power) == 0.75 && power == 4);
  assert(ldexp(1, -1074) == 0x1p-1074 && modf(2.5, &part) == 0.5 && part == 2);
}

// The nearest numbers: their squares are next to the number.
static void take_roots(void) {
  assert(sqrtl(zero + 4) == 2 && sqrtl(zero + 0x1p-16440L) == 0x1p-8220L);
  assert(sqrtl(zero + 2) == 1.41421356237309504880168872420969808L);
  assert(sqrtl(zero + 3) == 1.73205080756887729352744634150587237L);
  assert(isnan(sqrtl(zero - 1)) && isinf(sqrtl(1 / zero)));
}

static void classify(void) {
  assert(isnan(zero / zero) && !isnan(zero) && isinf(1 / zero));
  assert(!isinf(1 + zero) && isfinite(zero) && !isfinite(1 / zero));
  assert(isnormal(zero + 1) && !isnormal(zero) && !isnormal(0x1p-16440L));
}

int main(void) {
  round_all();
  take_apart();
  take_roots();
  classify();
  assert(prints("%.20Lf", 1.0L / 3, "0.33333333333333333334"));
  assert(prints("%+08.2Lf", -1.5L, "-0001.50") && prints("%Lg", 2.5L, "2.5"));
  assert(prints("%.3Le", 1e4000L / 3, "3.333e+3999"));
  assert(prints("%La", 1.5L, "0xcp-3") && prints("%Lf", 1 / zero, "inf"));
  assert(strtold(" 0.1x", NULL) == 0.1L && strtold("x", NULL) == 0);
  long double read;
  double lower;
  assert(sscanf("1e4000 0.5", "%Lf %lf", &read, &lower) == 2);
  assert(read == 1e4000L && lower == 0.5);
  return 0;
}
