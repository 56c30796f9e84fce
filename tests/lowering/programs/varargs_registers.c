// Variable arguments in registers of both kinds and in memory, where some are
// aligned to 16 bytes: after any number of words.
#include <stdarg.h>
#include <stdio.h>
typedef __int128 i128;
typedef float f4 __attribute__((vector_size(16)));
struct al {
  _Alignas(16) long a;
  long b;
};
struct al1 {
  _Alignas(16) int a;
};
struct di {
  double d;
  int i;
};
struct dd {
  float d[3];
};
struct big {
  _Alignas(16) long v[4];
};
__attribute__((noinline)) static void show(const char *kinds, ...) {
  va_list ap;
  va_start(ap, kinds);
  for (const char *k = kinds; *k; k++)
    switch (*k) {
    case 'i':
      printf("%d ", va_arg(ap, int));
      break;
    case 'l':
      printf("%ld ", va_arg(ap, long));
      break;
    case 'd':
      printf("%g ", va_arg(ap, double));
      break;
    case 'D':
      printf("%Lg ", va_arg(ap, long double));
      break;
    case 'x': {
      i128 x = va_arg(ap, i128);
      printf("%ld:%ld ", (long)(x >> 64), (long)x);
      break;
    }
    case 'a': {
      struct al x = va_arg(ap, struct al);
      printf("a%ld,%ld ", x.a, x.b);
      break;
    }
    case 'A': {
      struct al1 x = va_arg(ap, struct al1);
      printf("A%d ", x.a);
      break;
    }
    case 'm': {
      struct di x = va_arg(ap, struct di);
      printf("m%g,%d ", x.d, x.i);
      break;
    }
    case 'f': {
      struct dd x = va_arg(ap, struct dd);
      printf("f%g,%g ", (double)x.d[0], (double)x.d[2]);
      break;
    }
    case 'v': {
      f4 x = va_arg(ap, f4);
      printf("v%g,%g ", (double)x[0], (double)x[3]);
      break;
    }
    case 'B': {
      struct big x = va_arg(ap, struct big);
      printf("B%ld,%ld ", x.v[0], x.v[3]);
      break;
    }
    }
  va_end(ap);
  printf("\n");
}
int main(void) {
  i128 x = ((i128)7 << 64) + 5;
  struct al a = {1, 2};
  struct al1 A = {3};
  struct di m = {1.5, 4};
  struct dd f = {{1, 2, 3}};
  f4 v = {1, 2, 3, 4};
  struct big B = {{1, 2, 3, 4}};
  show("x", (i128)5);
  show("ix", 1, x);
  show("iix", 1, 2, x);
  show("iiiix", 1, 2, 3, 4, x);
  show("iiiiix", 1, 2, 3, 4, 5, x);
  show("iiiiiix", 1, 2, 3, 4, 5, 6, x);
  show("iiiiiixi", 1, 2, 3, 4, 5, 6, x, 7);
  show("a", a);
  show("ia", 1, a);
  show("iiiiaia", 1, 2, 3, 4, a, 5, a);
  show("A", A);
  show("iAi", 1, A, 2);
  show("iiiiiAA", 1, 2, 3, 4, 5, A, A);
  show("iiiiA", 1, 2, 3, 4, A);
  show("mfv", m, f, v);
  show("ddddddddmfv", 1., 2., 3., 4., 5., 6., 7., 8., m, f, v);
  show("dddddddiiiiimfv", 1., 2., 3., 4., 5., 6., 7., 1, 2, 3, 4, 5, m, f, v);
  show("iBi", 1, B, 2);
  show("DiDB", 1.5L, 2, 2.5L, B);
  show("iiiiiiBlxB", 1, 2, 3, 4, 5, 6, B, 9L, x, B);
}
