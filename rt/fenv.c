// SPDX-License-Identifier: MIT
// The floating-point environment: numbers are rounded to nearest, and which
// exceptions were raised is not known. So what asks for more is not supported,
// and the rest has nothing to do.
enum { TO_NEAREST = 0, ALL = 0x3d };

_Noreturn void __heddle_unsupported_another_rounding_mode(void);
_Noreturn void __heddle_unsupported_asking_for_floating_point_exceptions(void);

int fegetround(void);
int fesetround(int mode);
int fegetenv(void *environment);
int fesetenv(const void *environment);
int feholdexcept(void *environment);
int feupdateenv(const void *environment);
int feclearexcept(int exceptions);
int feraiseexcept(int exceptions);
int fetestexcept(int exceptions);
int fegetexceptflag(void *flags, int exceptions);
int fesetexceptflag(const void *flags, int exceptions);

int fegetround(void) {
  return TO_NEAREST;
}

int fesetround(int mode) {
  if (mode != TO_NEAREST)
    __heddle_unsupported_another_rounding_mode();
  return 0;
}

int fetestexcept(int exceptions) {
  if (exceptions & ALL)
    __heddle_unsupported_asking_for_floating_point_exceptions();
  return 0;
}

#define NOTHING(function, parameters)                                          \
  int function parameters {                                                    \
    return 0;                                                                  \
  }
NOTHING(feclearexcept, (int exceptions __attribute__((unused))))
NOTHING(feraiseexcept, (int exceptions __attribute__((unused))))
NOTHING(fesetexceptflag, (const void *flags __attribute__((unused)),
                          int exceptions __attribute__((unused))))
NOTHING(feupdateenv, (const void *environment __attribute__((unused))))
NOTHING(fesetenv, (const void *environment __attribute__((unused))))

// What is kept is not looked at but by the functions above.
static int keep(void *to, unsigned size) {
  __builtin_memset(to, 0, size);
  return 0;
}
int fegetenv(void *environment) {
  return keep(environment, 32);
}
int feholdexcept(void *environment) {
  return keep(environment, 32);
}
int fegetexceptflag(void *flags, int exceptions) {
  (void)exceptions;
  return keep(flags, 2);
}
