// SPDX-License-Identifier: MIT
// Functions of <math.h> that have no exact result: the host computes them.
#include <errno.h>
#include <math.h>

#include "builtin.h"
#include "bytecode/extended.h"
#include "bytecode/math.h"

void sincos(double x, double *sine, double *cosine);
void sincosf(float x, float *sine, float *cosine);

// What has no value, and what is too large for the type.
#define NOTE_ERROR(result, x, y)                                               \
  if (isnan(result) && !isnan(x) && !isnan(y))                                 \
    errno = EDOM;                                                              \
  else if (isinf(result) && isfinite(x) && isfinite(y))                        \
  errno = ERANGE

static double compute(int function, double x, double y) {
  double result = __heddle_math(function, x, y);
  NOTE_ERROR(result, x, y);
  return result;
}

static long double compute_long(int function, long double x, long double y) {
  long double result = __heddle_extended((int)EXTENDED_MATH + function, x, y);
  NOTE_ERROR(result, x, y);
  return result;
}

#define MATH1(name)                                                            \
  double name(double x) {                                                      \
    return compute(MATH_##name, x, 0);                                         \
  }                                                                            \
  float name##f(float x) {                                                     \
    return (float)compute(MATH_SINGLE + MATH_##name, (double)x, 0);            \
  }                                                                            \
  long double name##l(long double x) {                                         \
    return compute_long(MATH_##name, x, 0);                                    \
  }
#define MATH2(name)                                                            \
  double name(double x, double y) {                                            \
    return compute(MATH_##name, x, y);                                         \
  }                                                                            \
  float name##f(float x, float y) {                                            \
    return (float)compute(MATH_SINGLE + MATH_##name, (double)x, (double)y);    \
  }                                                                            \
  long double name##l(long double x, long double y) {                          \
    return compute_long(MATH_##name, x, y);                                    \
  }
#include "bytecode/math.def"

void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}

void sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
