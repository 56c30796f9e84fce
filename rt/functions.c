// SPDX-License-Identifier: MIT
// Functions of <math.h> that the host computes.
#include <errno.h>
#include <math.h>

#include "builtin.h"
#include "bytecode/extended.h"
#include "bytecode/math.h"

void sincos(double x, double *sine, double *cosine);
void sincosf(float x, float *sine, float *cosine);

static double compute(int function, double x, double y) {
  int error = __heddle_math_error(function, x, y);
  if (error)
    errno = error;
  return __heddle_math(function, x, y);
}

// Yields its answer as the significand of a number.
static int error_long(int function, long double x, long double y) {
  long double answer =
      __heddle_extended((int)EXTENDED_MATH_ERROR + function, x, y);
  int error;
  __builtin_memcpy(&error, &answer, sizeof error);
  return error;
}

static long double compute_long(int function, long double x, long double y) {
  int error = error_long(function, x, y);
  if (error)
    errno = error;
  return __heddle_extended((int)EXTENDED_MATH + function, x, y);
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

double fma(double x, double y, double z) {
  return (double)__heddle_fma(64, (long double)x, (long double)y,
                              (long double)z);
}

float fmaf(float x, float y, float z) {
  return (float)__heddle_fma(32, (long double)x, (long double)y,
                             (long double)z);
}

long double fmal(long double x, long double y, long double z) {
  return __heddle_fma(80, x, y, z);
}

void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}

void sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
