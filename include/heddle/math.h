// SPDX-License-Identifier: MIT
// <math.h>: functions with an exact result, computed here, and others that the
// host's library computes.
#pragma once

#include <heddle_cdefs.h>

#if defined __HEDDLE_HOST__ && __has_include_next(<math.h>)
// What is missing here, as the host declares it.
#include_next <math.h>
#else
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VALL __builtin_huge_vall()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_E 2.71828182845904523536
#define M_PI 3.14159265358979323846

#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)

#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
#endif

__HEDDLE_BEGIN
double fabs(double x);
double copysign(double x, double sign);
double fmin(double x, double y);
double fmax(double x, double y);
double trunc(double x);
double floor(double x);
double ceil(double x);
double round(double x);
double rint(double x);
double nearbyint(double x);
double fmod(double x, double y);
double sqrt(double x);
float fabsf(float x);
float copysignf(float x, float sign);
float fminf(float x, float y);
float fmaxf(float x, float y);
float truncf(float x);
float floorf(float x);
float ceilf(float x);
float roundf(float x);
float rintf(float x);
float nearbyintf(float x);
float fmodf(float x, float y);
float sqrtf(float x);
long lround(double x);
long long llround(double x);
long lrint(double x);
long long llrint(double x);
double fdim(double x, double y);
float fdimf(float x, float y);
double fma(double x, double y, double z);
float fmaf(float x, float y, float z);
double nan(const char *tag);
float nanf(const char *tag);
int ilogb(double x);
int ilogbf(float x);
double frexp(double x, int *exponent);
double ldexp(double x, int exponent);
double scalbn(double x, int exponent);
double modf(double x, double *whole);
long lroundf(float x);
long long llroundf(float x);
long lrintf(float x);
long long llrintf(float x);
float frexpf(float x, int *exponent);
float ldexpf(float x, int exponent);
float scalbnf(float x, int exponent);
float modff(float x, float *whole);
long double fabsl(long double x);
long double copysignl(long double x, long double sign);
long double fminl(long double x, long double y);
long double fmaxl(long double x, long double y);
long double fdiml(long double x, long double y);
long double fmal(long double x, long double y, long double z);
long double nanl(const char *tag);
int ilogbl(long double x);
long double truncl(long double x);
long double floorl(long double x);
long double ceill(long double x);
long double roundl(long double x);
long double rintl(long double x);
long double nearbyintl(long double x);
long double fmodl(long double x, long double y);
long double sqrtl(long double x);
long double frexpl(long double x, int *exponent);
long double ldexpl(long double x, int exponent);
long double scalbnl(long double x, int exponent);
long double modfl(long double x, long double *whole);
long lroundl(long double x);
long long llroundl(long double x);
long lrintl(long double x);
long long llrintl(long double x);

// As good as the approximation of the host's library.
#define __HEDDLE_MATH1(name)                                                   \
  double name(double x);                                                       \
  float name##f(float x);                                                      \
  long double name##l(long double x);
#define __HEDDLE_MATH2(name)                                                   \
  double name(double x, double y);                                             \
  float name##f(float x, float y);                                             \
  long double name##l(long double x, long double y);
__HEDDLE_MATH1(exp)
__HEDDLE_MATH1(exp2)
__HEDDLE_MATH1(exp10)
__HEDDLE_MATH1(expm1)
__HEDDLE_MATH1(log)
__HEDDLE_MATH1(log2)
__HEDDLE_MATH1(log10)
__HEDDLE_MATH1(log1p)
__HEDDLE_MATH1(logb)
__HEDDLE_MATH1(cbrt)
__HEDDLE_MATH1(sin)
__HEDDLE_MATH1(cos)
__HEDDLE_MATH1(tan)
__HEDDLE_MATH1(asin)
__HEDDLE_MATH1(acos)
__HEDDLE_MATH1(atan)
__HEDDLE_MATH1(sinh)
__HEDDLE_MATH1(cosh)
__HEDDLE_MATH1(tanh)
__HEDDLE_MATH1(asinh)
__HEDDLE_MATH1(acosh)
__HEDDLE_MATH1(atanh)
__HEDDLE_MATH1(erf)
__HEDDLE_MATH1(erfc)
__HEDDLE_MATH1(tgamma)
__HEDDLE_MATH1(lgamma)
__HEDDLE_MATH2(pow)
__HEDDLE_MATH2(atan2)
__HEDDLE_MATH2(hypot)
__HEDDLE_MATH2(remainder)
__HEDDLE_MATH2(nextafter)
#undef __HEDDLE_MATH1
#undef __HEDDLE_MATH2
__HEDDLE_END
