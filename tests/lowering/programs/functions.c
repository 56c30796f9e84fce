// Functions of <math.h> that have no exact result.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>

static void show(const char *what, double x, float y, long double z) {
  printf("%s %a %a %La %d\n", what, x, (double)y, z, errno);
  errno = 0;
}

#define ONE(name, x) show(#name, name(x), name##f((float)(x)), name##l(x))
#define TWO(name, x, y)                                                        \
  show(#name, name(x, y), name##f((float)(x), (float)(y)), name##l(x, y))

static void all(double x, double y) {
  ONE(exp, x);
  ONE(exp2, x);
  ONE(exp10, x);
  ONE(expm1, x);
  ONE(log, x);
  ONE(log2, x);
  ONE(log10, x);
  ONE(log1p, x);
  ONE(logb, x);
  ONE(cbrt, x);
  ONE(sin, x);
  ONE(cos, x);
  ONE(tan, x);
  ONE(asin, x / 8);
  ONE(acos, x / 8);
  ONE(atan, x);
  ONE(sinh, x);
  ONE(cosh, x);
  ONE(tanh, x);
  ONE(asinh, x);
  ONE(acosh, x);
  ONE(atanh, x / 8);
  ONE(erf, x);
  ONE(erfc, x);
  ONE(tgamma, x);
  ONE(lgamma, x);
  TWO(pow, x, y);
  TWO(atan2, x, y);
  TWO(hypot, x, y);
  TWO(remainder, x, y);
  TWO(nextafter, x, y);
}

int main(void) {
  double sine, cosine;
  for (double x = 0.125; x < 7; x += 0.875)
    all(x, 2.5 - x);
  sincos(0.5, &sine, &cosine);
  printf("%a %a\n", sine, cosine);
  volatile double below = -1, large = 1e4, zero = 0, infinite = INFINITY;
  show("no logarithm", log(below), 0, 0);
  show("too large", exp(large), 0, 0);
  show("at a pole", pow(zero, below), 0, 0);
  show("infinite", exp(infinite), 0, 0);
  return 0;
}
