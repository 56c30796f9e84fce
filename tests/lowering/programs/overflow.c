// __builtin_*_overflow of operands and results of different types, for which
// clang computes with 65 bits and more; and of 128 bits.
#include <limits.h>
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;

static void show(uwide r, int overflows) {
  printf(" %lx.%lx/%d", (unsigned long)(r >> 64), (unsigned long)r, overflows);
}

#define EACH(op, X, Y, R)                                                      \
  do {                                                                         \
    volatile X x = (X)a;                                                       \
    volatile Y y = (Y)b;                                                       \
    R r;                                                                       \
    int overflows = __builtin_##op##_overflow(x, y, &r);                       \
    show((uwide)r, overflows);                                                 \
  } while (0)
#define ALL(X, Y, R)                                                           \
  EACH(add, X, Y, R);                                                          \
  EACH(sub, X, Y, R);                                                          \
  EACH(mul, X, Y, R);                                                          \
  printf("\n")

static void mixed(wide a, wide b) {
  ALL(unsigned long, int, unsigned long);
  ALL(unsigned long, long, long);
  ALL(long, long, unsigned long);
  ALL(long, unsigned long, unsigned long);
  ALL(unsigned long, unsigned long, long);
  ALL(unsigned, long, unsigned char);
  ALL(wide, wide, wide);
  ALL(uwide, uwide, uwide);
  ALL(uwide, uwide, unsigned long);
  ALL(wide, unsigned long, long);
  ALL(_BitInt(100), _BitInt(100), _BitInt(100));
}

static const wide one = 1;

int main(void) {
  const wide values[] = {0,
                         1,
                         -1,
                         2,
                         -3,
                         INT_MIN,
                         LONG_MAX,
                         LONG_MIN,
                         (wide)ULONG_MAX,
                         one << 64,
                         -(one << 64),
                         (one << 64) + 7,
                         (one << 99) - 1,
                         -(one << 99),
                         (wide)((uwide)1 << 127),
                         (wide)(((uwide)1 << 127) - 1)};
  enum { N = sizeof values / sizeof *values };
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      mixed(values[i], values[k]);
  size_t n = 41;
  if (__builtin_add_overflow(n, 1, &n))
    n = 0;
  printf("%zu\n", n);
  return 0;
}
