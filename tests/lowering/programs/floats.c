// Floating point: arithmetic, comparisons with NaN, conversions.
#include <math.h>
#include <stdio.h>

static double square_root(double x) {
  double r = x;
  for (int i = 0; i < 40; i++)
    r = (r + x / r) / 2;
  return r;
}

static float table[4] = {0.5f, -1.25f, 3e10f, 1e-20f};
double global = 0.1;

int main(void) {
  printf("%.10f %.17g\n", square_root(2), global + 0.2);
  for (int i = 0; i < 4; i++)
    printf("%g %g %d\n", (double)(table[i] * 3), (double)table[i] / 7,
           table[i] < 1);
  double zero = global - global, nan = zero / zero, inf = 1 / zero;
  printf("%d%d%d%d%d%d\n", nan == nan, nan != nan,
         nan<1, !(nan >= 1), inf> 1e300, -inf < 0);
  printf("%d %u %ld %lu\n", (int)-2.9, (unsigned)3.99, (long)-1e15,
         (unsigned long)1e18);
  printf("%g %g %g %g\n", (double)-7, (double)4000000000u, (double)(-1L << 40),
         (double)0xffffffffffffffffu);
  printf("%g %g\n", (double)(float)0.1, -(double)table[0]);
  printf("%g %g\n", fabs(-2.5), __builtin_copysign(3.0, -1.0));
  double some[] = {0.0, -0.0, 1.5, -2.5, 1e-310, inf, -inf, nan};
  for (int i = 0; i < 8; i++)
    printf("%d%d%d%d%d ", !!isnan(some[i]), !!isinf(some[i]),
           !!isfinite(some[i]), !!isnormal(some[i]), !!signbit(some[i]));
  printf("\n%g %g %g %g %g\n", floor(-2.5), ceil(2.1), trunc(-2.9), round(2.5),
         (double)floorf(1.75f));
  printf("%g %g %g %ld\n", fmin(1, nan), fmax(3, 4), sqrt(6.25), lround(-1.5));
  global += 1;
  global *= 2.5;
  global -= table[0];
  printf("%.6f %d\n", global, global > 2 && global < 3);
  float f = 16777216.0f;
  f += 1;
  printf("%.1f\n", (double)f);
  return (int)square_root(50);
}
