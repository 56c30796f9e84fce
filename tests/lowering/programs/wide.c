// 128-bit integers.
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void show(const char *what, u128 x) {
  printf("%s %016lx%016lx\n", what, (unsigned long)(x >> 64), (unsigned long)x);
}

static u128 power(u128 base, unsigned n) {
  u128 r = 1;
  while (n--)
    r *= base;
  return r;
}

struct pair {
  u128 a;
  int b;
};

static struct pair make(u128 a) {
  struct pair p = {a, 7};
  return p;
}

u128 global = 5;

int main(void) {
  u128 a = power(3, 70), b = power(7, 40);
  show("a", a);
  show("b", b);
  show("a+b", a + b);
  show("a-b", a - b);
  show("b-a", b - a);
  show("a*b", a * b);
  show("a&b", a & b);
  show("a|b", a | b);
  show("~(a^b)", ~(a ^ b));
  for (int i = 0; i < 128; i += 9) {
    show("shl", a << i);
    show("shr", b >> i);
    show("sar", (u128)((i128)(a << 20) >> i));
  }
  printf("%d %d %d %d\n", a<b, a> b, a <= a, (i128)a < -(i128)b);
  printf("%d %d %d\n", a == b, a != b, (i128)-1 < (i128)0);
  show("sext", (u128)(i128)(-5L));
  show("mask", a & ((u128)0xffffff << 60));
  global += a;
  show("global", global);
  struct pair p = make(b);
  show("pair", p.a + (unsigned)p.b);
  u128 array[3] = {1, a, b};
  array[0] += array[1] - array[2];
  show("array", array[0]);
  return (int)(a >> 100) & 0x7f;
}
