// What clang knows by itself: atomic minimum and maximum, rotations, saturation
// by hand, predicates of floating-point numbers, hints, and functions of math.h
// that become instructions.
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static int si[4] = {-7, 7, -7, 7};
static unsigned ui[4] = {0xfffffff9u, 7, 0xfffffff9u, 7};
static int8_t small = -3;
static uint16_t middle = 40000;
static long wide = -1;

static void extremes(void) {
  int a = __atomic_fetch_min(&si[0], 3, __ATOMIC_SEQ_CST);
  int b = __atomic_fetch_max(&si[1], -3, __ATOMIC_RELAXED);
  int c = __atomic_fetch_min(&si[3], -3, __ATOMIC_ACQUIRE);
  int d = __atomic_fetch_max(&si[2], 3, __ATOMIC_RELEASE);
  printf("%d %d %d %d: %d %d %d %d\n", a, b, c, d, si[0], si[1], si[2], si[3]);
  unsigned e = __atomic_fetch_min(&ui[0], 3u, __ATOMIC_SEQ_CST);
  unsigned f = __atomic_fetch_max(&ui[1], 0xfffffffdu, __ATOMIC_SEQ_CST);
  __atomic_fetch_max(&ui[2], 3u, __ATOMIC_SEQ_CST);
  __atomic_fetch_min(&ui[3], 0xfffffffdu, __ATOMIC_SEQ_CST);
  printf("%u %u: %u %u %u %u\n", e, f, ui[0], ui[1], ui[2], ui[3]);
  __atomic_fetch_min(&small, (int8_t)-100, __ATOMIC_SEQ_CST);
  __atomic_fetch_max(&middle, (uint16_t)50000, __ATOMIC_SEQ_CST);
  __atomic_fetch_max(&wide, 5L, __ATOMIC_SEQ_CST);
  __atomic_fetch_nand(&si[0], 12, __ATOMIC_SEQ_CST);
  printf("%d %u %ld %d\n", small, middle, wide, si[0]);
}

static void bits(void) {
  volatile uint32_t x = 0x80000011u, n = 7;
  volatile uint64_t y = 0x8000000000000101u;
  volatile uint8_t z = 0x91;
  printf("%x %x %lx %lx %x %x\n", __builtin_rotateleft32(x, n),
         __builtin_rotateright32(x, n), __builtin_rotateleft64(y, 60 + n),
         __builtin_rotateright64(y, n), __builtin_rotateleft8(z, n),
         __builtin_rotateright8(z, n));
  printf("%x %lx %x %x\n", __builtin_bitreverse32(x),
         __builtin_bitreverse64(y), __builtin_bitreverse8(z),
         __builtin_bitreverse16(z));
  volatile int small_int = -2147483647, other = -12;
  printf("%d %d %d\n", __builtin_abs(small_int), __builtin_abs(other),
         __builtin_elementwise_min((int)small_int, (int)other));
  printf("%u %d %u\n",
         __builtin_elementwise_max((uint32_t)x, (uint32_t)n),
         __builtin_elementwise_max((int)small_int, (int)other),
         __builtin_elementwise_min((uint32_t)x, (uint32_t)n));
}

static void predicates(double x) {
  printf("%d%d%d%d%d ", __builtin_isnan(x), __builtin_isinf(x),
         __builtin_isfinite(x), __builtin_isnormal(x), __builtin_signbit(x) != 0);
  printf("%d ", __builtin_isfpclass(x, 0x0260)); // some of them
}

static void numbers(void) {
  volatile double a = 2.5, b = -0.5, zero = 0, tiny = 5e-324;
  volatile float f = 3.5f;
  double all[] = {a, b, zero, -zero, tiny, a / zero, b / zero, zero / zero};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    predicates(all[i]);
  printf("\n%g %g %g %g %g %g\n", floor(a), ceil(b), trunc(b), round(a), rint(a),
         nearbyint(b));
  printf("%g %g %ld %lld %g %g\n", fmin(a, b), fmax(a, b), lround(a),
         llround(b), sqrt(6.25), (double)floorf(f));
  volatile double ties[] = {0.5, 1.5, -1.5, 2.5, -2.75, 1e300, a / zero};
  for (unsigned i = 0; i < sizeof ties / sizeof *ties; i++)
    printf("%g %g ", rint(ties[i]), (double)nearbyintf((float)ties[i]));
  printf("%g %g\n", __builtin_copysign(a, b), __builtin_fabs(b));
}

static void hints(void) {
  int i = 3;
  __builtin_prefetch(&i);
  __builtin_assume(i == 3);
  char *p = __builtin_assume_aligned(&i, 4);
  int known = __builtin_constant_p(i);
  printf("%d %d %d\n", *p, known * 0,
         __builtin_object_size(&i, 0) >= sizeof i);
  printf("%d\n", *(int *)__builtin_align_down((char *)&i, 4));
}

int main(void) {
  extremes();
  bits();
  numbers();
  hints();
  return 0;
}
