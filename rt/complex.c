// SPDX-License-Identifier: MIT
// Products and quotients of complex numbers, which clang calls: a product when
// the plain one is not a number, a quotient always. Infinite operands have
// infinite results even where another part is not a number (C17 G.5.1).
#include <math.h>

// The sign of a part; `is` tells if the part counts as 1 or as 0.
#define UNIT(R, is, part) copysign##R((is) ? 1 : 0, part)

#define COMPLEX(type, R, mul, div)                                             \
  type _Complex mul(type a, type b, type c, type d);                           \
  type _Complex div(type a, type b, type c, type d);                           \
                                                                               \
  static type _Complex pair##R(type re, type im) {                             \
    type _Complex z;                                                           \
    __real__ z = re;                                                           \
    __imag__ z = im;                                                           \
    return z;                                                                  \
  }                                                                            \
                                                                               \
  static type or_zero##R(type part) {                                          \
    return isnan(part) ? copysign##R(0, part) : part;                          \
  }                                                                            \
                                                                               \
  type _Complex mul(type a, type b, type c, type d) {                          \
    type re = a * c - b * d, im = a * d + b * c;                               \
    if (!isnan(re) || !isnan(im))                                              \
      return pair##R(re, im);                                                  \
    int overflows =                                                            \
        isinf(a * c) || isinf(b * d) || isinf(a * d) || isinf(b * c);          \
    int first = isinf(a) || isinf(b), second = isinf(c) || isinf(d);           \
    if (!first && !second && !overflows)                                       \
      return pair##R(re, im);                                                  \
    if (first) {                                                               \
      a = UNIT(R, isinf(a), a);                                                \
      b = UNIT(R, isinf(b), b);                                                \
    }                                                                          \
    if (second) {                                                              \
      c = UNIT(R, isinf(c), c);                                                \
      d = UNIT(R, isinf(d), d);                                                \
    }                                                                          \
    a = or_zero##R(a);                                                         \
    b = or_zero##R(b);                                                         \
    c = or_zero##R(c);                                                         \
    d = or_zero##R(d);                                                         \
    return pair##R((type)INFINITY * (a * c - b * d),                           \
                   (type)INFINITY * (a * d + b * c));                          \
  }                                                                            \
                                                                               \
  /* The divisor is brought near 1 first, so that its square fits. */          \
  type _Complex div(type a, type b, type c, type d) {                          \
    type size = fmax##R(fabs##R(c), fabs##R(d)), x = c, y = d;                 \
    int by = size > 0 && isfinite(size) ? -ilogb##R(size) : 0;                 \
    c = scalbn##R(c, by);                                                      \
    d = scalbn##R(d, by);                                                      \
    type norm = c * c + d * d;                                                 \
    type re = scalbn##R((a * c + b * d) / norm, by);                           \
    type im = scalbn##R((b * c - a * d) / norm, by);                           \
    if (!isnan(re) || !isnan(im))                                              \
      return pair##R(re, im);                                                  \
    if (norm == 0 && (!isnan(a) || !isnan(b))) {                               \
      type endless = copysign##R((type)INFINITY, x);                           \
      return pair##R(endless * a, endless * b);                                \
    }                                                                          \
    if ((isinf(a) || isinf(b)) && isfinite(x) && isfinite(y)) {                \
      a = UNIT(R, isinf(a), a);                                                \
      b = UNIT(R, isinf(b), b);                                                \
      return pair##R((type)INFINITY * (a * c + b * d),                         \
                     (type)INFINITY * (b * c - a * d));                        \
    }                                                                          \
    if ((isinf(x) || isinf(y)) && isfinite(a) && isfinite(b)) {                \
      c = UNIT(R, isinf(x), x);                                                \
      d = UNIT(R, isinf(y), y);                                                \
      return pair##R(0 * (a * c + b * d), 0 * (b * c - a * d));                \
    }                                                                          \
    return pair##R(re, im);                                                    \
  }

COMPLEX(float, f, __mulsc3, __divsc3)
COMPLEX(double, , __muldc3, __divdc3)
COMPLEX(long double, l, __mulxc3, __divxc3)

// Parts and sizes. (What is computed from series, such as cexp, is missing:
// the last bits would be others than those of the host.)
#define PARTS(type, R)                                                         \
  type creal##R(type _Complex z);                                              \
  type cimag##R(type _Complex z);                                              \
  type cabs##R(type _Complex z);                                               \
  type carg##R(type _Complex z);                                               \
  type _Complex conj##R(type _Complex z);                                      \
  type _Complex cproj##R(type _Complex z);                                     \
                                                                               \
  type creal##R(type _Complex z) {                                             \
    return __real__ z;                                                         \
  }                                                                            \
  type cimag##R(type _Complex z) {                                             \
    return __imag__ z;                                                         \
  }                                                                            \
  type cabs##R(type _Complex z) {                                              \
    return hypot##R(__real__ z, __imag__ z);                                   \
  }                                                                            \
  type carg##R(type _Complex z) {                                              \
    return atan2##R(__imag__ z, __real__ z);                                   \
  }                                                                            \
  type _Complex conj##R(type _Complex z) {                                     \
    return pair##R(__real__ z, -__imag__ z);                                   \
  }                                                                            \
  type _Complex cproj##R(type _Complex z) {                                    \
    if (!isinf(__real__ z) && !isinf(__imag__ z))                              \
      return z;                                                                \
    return pair##R((type)INFINITY, copysign##R(0, __imag__ z));                \
  }

PARTS(float, f)
PARTS(double, )
PARTS(long double, l)
