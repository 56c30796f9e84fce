// SPDX-License-Identifier: MIT
// Functions of <math.h> as the host's library computes them. They are functions
// of values alone, so a thread stays a function of its state and what it reads.
#include "bytecode/math.h"
#include "vm/arith.h"
#include "vm/thread.h"

#include <errno.h>
#include <math.h>

static double of_double(unsigned function, double x, double y) {
  switch (function) {
#define MATH1(name)                                                            \
  case MATH_##name:                                                            \
    return name(x);
#define MATH2(name)                                                            \
  case MATH_##name:                                                            \
    return name(x, y);
#include "bytecode/math.def"
#undef MATH1
#undef MATH2
  default:
    fatal_internal(__FILE__, __LINE__, "unknown function of <math.h>");
  }
}

static float of_float(unsigned function, float x, float y) {
  switch (function) {
#define MATH1(name)                                                            \
  case MATH_##name:                                                            \
    return name##f(x);
#define MATH2(name)                                                            \
  case MATH_##name:                                                            \
    return name##f(x, y);
#include "bytecode/math.def"
#undef MATH1
#undef MATH2
  default:
    fatal_internal(__FILE__, __LINE__, "unknown function of <math.h>");
  }
}

long double math_extended(unsigned function, long double x, long double y) {
  switch (function) {
#define MATH1(name)                                                            \
  case MATH_##name:                                                            \
    return name##l(x);
#define MATH2(name)                                                            \
  case MATH_##name:                                                            \
    return name##l(x, y);
#include "bytecode/math.def"
#undef MATH1
#undef MATH2
  default:
    fatal_internal(__FILE__, __LINE__, "unknown function of <math.h>");
  }
}

int math_extended_error(unsigned function, long double x, long double y) {
  volatile long double ignored; // the call is what matters
  errno = 0;
  ignored = math_extended(function, x, y);
  (void)ignored;
  return errno;
}

int math_error(unsigned function, uint64_t x, uint64_t y) {
  volatile uint64_t ignored;
  errno = 0;
  ignored = math_compute(function, x, y);
  (void)ignored;
  return errno;
}

uint64_t math_compute(unsigned function, uint64_t x, uint64_t y) {
  double a = float_of(x, 64), b = float_of(y, 64);
  double result =
      function < MATH_SINGLE
          ? of_double(function, a, b)
          : (double)of_float(function - MATH_SINGLE, (float)a, (float)b);
  return float_bits(result, 64);
}
