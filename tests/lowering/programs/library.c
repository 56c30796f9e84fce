// Functions of the C library that few programs call: parts of <string.h> and
// <math.h>, complex quotients, flags and conversions of printf, and what calls
// become under _FORTIFY_SOURCE.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

static void strings(void) {
  char to[16] = "abcdefghijklmno";
  char *end = stpncpy(to, "xyz", 6);
  printf("%d %s|%s\n", (int)(end - to), to, to + 6);
  end = stpncpy(to, "longer than that", 4);
  printf("%d %.4s\n", (int)(end - to), to);
  end = memccpy(to, "key=value", '=', 16);
  printf("%d %.4s\n", (int)(end - to), to);
  printf("%d\n", memccpy(to, "key=value", '=', 3) == NULL);
  explicit_bzero(to, 3);
  printf("%d %d\n", to[2], to[3]);
}

static void numbers(void) {
  volatile double x = 0x1.0000001p0, y = 0x1.fffffep-1, z = -1, big = 0x1p1000;
  volatile float f = 0x1.002p0f, g = 0x1.ffep-1f;
  volatile long double l = 0x1.00000001p0L;
  printf("%a %a %a\n", fma(x, y, z), fma(big, big, -INFINITY),
         fma(big, 16, -big));
  printf("%a %La\n", (double)fmaf(f, g, -1), fmal(l, l, -1.0L));
  printf("%g %g %g\n", fdim(3, 1), fdim(1, 3), (double)fdimf(2.5f, 1));
  printf("%d %d %d %d\n", ilogb(0.75), ilogbf(1024), ilogbl(3.0L),
         ilogb(5e-324));
  errno = 0;
  volatile double zero = 0;
  printf("%d", ilogb(zero) == FP_ILOGB0);
  printf(" %d", ilogb(1 / zero) == 2147483647);
  printf(" %d %d\n", ilogb(nan("")) == FP_ILOGBNAN, errno == EDOM);
  printf("%d %d %d\n", isnan(nan("1")) != 0, isnan(nanf("")) != 0,
         isnan(nanl("")) != 0);
}

#define SHOW(z) printf("%g %g, ", (double)__real__(z), (double)__imag__(z))

static void complex_numbers(void) {
  volatile double _Complex a = 6 + 8i, b = 0 + 2i, none = 0, huge = 1e300 + 1e300i;
  volatile float _Complex c = 3.0f - 4.0fi, d = 2.0f + 0.0fi;
  volatile long double _Complex e = 1.0L + 1.0Li, f = 1.0L - 1.0Li;
  volatile double _Complex inf = 0;
  __real__ inf = INFINITY;
  SHOW(a / b);
  SHOW(a / (4 + 0i));
  SHOW(huge / huge);
  SHOW(c / d);
  SHOW(e / f);
  SHOW(a / inf);
  SHOW(inf / b);
  double _Complex by_zero = a / none;
  printf("%d ", isinf(__real__ by_zero) != 0);
  double _Complex product = inf * inf;
  printf("%d\n", isinf(__real__ product) != 0);
}

static void formats(void) {
  printf("%#g %#.3g %#.0f %#.0e %#g %#a\n", 1.0, 100.0, 3.0, 2e5, 1e10, 1.0);
  printf("%#Lg %#.0Lf %#010.1f\n", 1.0L, 3.0L, 2.5);
  printf("%'d %'lu|%ls|%8ls|%-6ls|%.2ls|%lc\n", 1234567, 89ul, L"wide", L"right",
         L"left", L"cut off", L'w');
  errno = EINVAL;
  printf("%m|%20m\n");
}

static int print_to(char *to, size_t room, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = __builtin___vsnprintf_chk(to, room, 1, room, format, list);
  va_end(list);
  return n;
}

static void fortified(void) {
  char to[32];
  volatile size_t n = 4, room = sizeof to;
  __builtin___memset_chk(to, 'x', n, room);
  __builtin___memcpy_chk(to, "abc", n, room);
  __builtin___memmove_chk(to + 1, to, n, room);
  printf("%s\n", to);
  printf("%s\n", (char *)__builtin___strcpy_chk(to, "copy", room));
  printf("%d\n", (int)((char *)__builtin___stpcpy_chk(to, "end", room) - to));
  printf("%s\n", __builtin___strcat_chk(to, " more", room));
  printf("%s\n", __builtin___strncat_chk(to, "letters", 3, room));
  printf("%s\n", __builtin___strncpy_chk(to, "short", n, room));
  printf("%d %s\n", __builtin___sprintf_chk(to, 1, room, "%d", 42), to);
  printf("%d %s\n", __builtin___snprintf_chk(to, 3, 1, room, "%d", 4242), to);
  printf("%d %s\n", print_to(to, sizeof to, "%s-%d", "a", 1), to);
  __builtin___printf_chk(1, "%d\n", 7);
  __builtin___fprintf_chk(stdout, 1, "%d %d\n", feof(stdout), ferror(stdout));
}

int main(void) {
  strings();
  numbers();
  complex_numbers();
  formats();
  fortified();
  return 0;
}
