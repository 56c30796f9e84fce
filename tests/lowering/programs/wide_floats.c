// 128-bit integers as floating-point numbers and back.
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void to_real(u128 x) {
  i128 s = (i128)x;
  printf("%a %a %La %a %a %La\n", (double)(float)x, (double)x, (long double)x,
         (double)(float)s, (double)s, (long double)s);
}

static void show(u128 x) {
  printf("%016lx%016lx ", (unsigned long)(x >> 64), (unsigned long)x);
}

static void from_real(long double x) {
  show((u128)x);
  show((u128)(double)x);
  show((u128)(float)x);
  if (x < 0x1p127L) {
    show((u128)(i128)-x);
    show((u128)(i128) - (double)x);
    show((u128)(i128) - (float)x);
  }
  printf("\n");
}

// Bits at the places where rounding is decided.
static void around(int at) {
  for (int low = -1; low <= 1; low++)
    for (int second = 1; second <= 70 && second <= at; second += 4) {
      u128 x = (u128)1 << at;
      to_real(x + (u128)(i128)low);
      to_real((x | x >> second) + (u128)(i128)low);
      to_real(0 - (x | x >> second));
    }
}

int main(void) {
  to_real(0);
  to_real(1);
  to_real((u128)-1);
  to_real((u128)1 << 127);
  to_real(((u128)1 << 127) - 1);
  static const int places[] = {23, 24, 25, 53, 63, 64, 65, 88, 117, 126};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
    around(places[i]);
  long double x = 0.75L;
  for (int i = 0; i < 128; i++, x *= 2) {
    from_real(x);
    from_real(x * 1.0000001192092896L);
  }
  return 0;
}
