// What functions of the library leave in errno.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SHOW(call)                                                             \
  do {                                                                         \
    errno = 0;                                                                 \
    double result = (double)(call);                                            \
    printf("%s = %g, errno %d\n", #call, result, *(volatile int *)&errno);     \
  } while (0)

int main(void) {
  void *volatile p;
  volatile size_t huge = (size_t)-1;
  SHOW((p = malloc(huge)) != NULL);
  SHOW((p = malloc(huge / 4)) != NULL);
  SHOW((p = calloc(huge, huge)) != NULL);
  SHOW((p = reallocarray(NULL, huge, huge)) != NULL);
  volatile double zero = 0, one = 1, ten = 10;
  SHOW(fabs(sqrt(-one)));
  SHOW(fabs((double)sqrtf((float)-one)));
  SHOW(fabsl(sqrtl(-one)));
  SHOW(sqrt(2));
  SHOW(fabs(fmod(one, zero)));
  SHOW(fmod(7.5, 2));
  SHOW(fmodl(-7.5L, 2));
  SHOW(ldexp(one, 5000));
  SHOW(ldexp(one, -5000));
  SHOW(ldexp(one, 5));
  SHOW(ldexpl(one, 50000));
  SHOW(pow(ten, 400));
  SHOW(pow(ten, -400));
  SHOW(powl(ten, 5000));
  SHOW(exp(1000));
  SHOW(exp(-1000));
  SHOW(expf(100));
  SHOW(log(zero));
  SHOW(strtol("12", NULL, 1));
  SHOW(strtol("12", NULL, 37));
  SHOW(strtol("99999999999999999999", NULL, 10));
  SHOW(strtod("1e999", NULL));
  SHOW(strtod("1e-999", NULL));
  SHOW(strtod("1e-310", NULL));
  SHOW(strtof("1e39", NULL));
  SHOW(strtold("1e999", NULL) > 1e300L);
  return 0;
}
