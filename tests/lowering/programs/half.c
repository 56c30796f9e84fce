// SPDX-License-Identifier: MIT
// _Float16: arithmetic, conversions from and to everything, comparisons,
// rounding (half way, to numbers without a leading one, and beyond the
// largest), structs, unions, vectors, arguments and results.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef _Float16 four __attribute__((vector_size(8)));
typedef float four_floats __attribute__((vector_size(16)));

struct pair {
  _Float16 a, b;
  char end;
};

static const _Float16 table[] = {0.5f16, -2, 65504, 6e-8f16};
static _Float16 counter = 1.5f16;

static unsigned bits(_Float16 h) {
  uint16_t u;
  memcpy(&u, &h, sizeof u);
  return u;
}

__attribute__((noinline)) static _Float16 middle(struct pair p, _Float16 by) {
  return (p.a + p.b) / by;
}

static double sum(int n, ...) {
  va_list ap;
  double total = 0;
  va_start(ap, n);
  for (int i = 0; i < n; i++)
    total += (double)va_arg(ap, _Float16) + va_arg(ap, int);
  va_end(ap);
  return total;
}

int main(void) {
  static const double numbers[] = {
      0,       -0.0,    1,        0.1,       -0.1,     2047.5, 2048.5,
      2049,    2051,    65504,    65519.99,  65520,    -1e30,  6.1e-5,
      6.09e-5, 5.96e-8, 2.98e-8,  2.9803e-8, 1.5e-7,   1e-300, 1.0 / 0.0,
      1025.5,  1026.5,  0.333333, 1e4,       3.14159265};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    double d = numbers[i];
    _Float16 h = (_Float16)d, of_float = (_Float16)(float)d;
    printf("%a %04x %04x %a %a %Lg\n", d, bits(h), bits(of_float), (double)h,
           (double)(float)h, (long double)h);
    printf("%04x %04x %04x %04x %d%d%d%d\n", bits(h + table[0]),
           bits(h * table[1]), bits(h - h / 3), bits(-h), h < 1, h == h,
           h >= table[2], h != 0);
  }
  for (int i = -70000; i <= 70000; i += 2477)
    printf("%04x %04x %04x ", bits(i), bits((unsigned)i % 66000u),
           bits((long long)i));
  for (_Float16 h = -300; h < 300; h += 77.25f16)
    printf("%d %ld %d ", (int)h, (long)h, (signed char)(h / 4));
  struct pair p = {1, 2.5f16, 'x'}, q = p;
  q.a += 1;
  counter *= 3;
  counter++;
  printf("%zu %zu %04x %04x %04x\n", sizeof p, _Alignof(_Float16),
         bits(middle(p, 2)), bits(middle(q, counter)), bits(counter));
  four v = {1, 2.5f16, table[1], p.b}, w = v * v + v;
  four_floats f = __builtin_convertvector(w / 3, four_floats);
  four back = __builtin_convertvector(f * 1.1f, four);
  for (int i = 0; i < 4; i++)
    printf("%04x %a %04x %d\n", bits(w[i]), (double)f[i], bits(back[i]),
           (v < w)[i]);
  union {
    _Float16 h;
    uint16_t u;
  } u = {.u = 0x3c01};
  printf("%.10f %g\n", (double)u.h, sum(3, table[0], 1, u.h, 2, counter, 3));
  u.u = 0x7e01;
  printf("%d %d %d\n", u.h == u.h, u.h < 1, u.h != u.h);
  return 0;
}
