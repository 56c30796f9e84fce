// Integer arithmetic of all widths, conversions, shifts, bit tricks.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static unsigned long seed = 88172645463325252u;

static unsigned long next(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

static void narrow(void) {
  for (int i = 0; i < 20; i++) {
    unsigned long x = next(), y = next();
    int8_t a = (int8_t)x;
    uint8_t b = (uint8_t)y;
    int16_t c = (int16_t)(x >> 8);
    uint16_t d = (uint16_t)(y >> 9);
    printf("%d %d %d %d %d\n", a + b, a * c, (uint8_t)(a - b), (int16_t)(c ^ d),
           (a < b) + (c > d) * 2);
    printf("%u %u %u\n", (unsigned)b << 3, (unsigned)d >> 2, (unsigned)(b & d));
  }
}

static void words(void) {
  for (int i = 0; i < 20; i++) {
    int32_t a = (int32_t)next(), b = (int32_t)(next() % 1000) + 1;
    uint64_t u = next(), v = next() % 77 + 1;
    int64_t s = (int64_t)next();
    printf("%d %d %d %u\n", a / b, a % b, a >> 3, (uint32_t)a >> 5);
    printf("%lu %lu %ld %ld\n", u / v, u % v, s / (int64_t)v, s % (int64_t)v);
    printf("%lu %d %d\n", u * v, s < 0, u < v);
    printf("%d %d %d %d\n", __builtin_popcountl(u), __builtin_clzl(u | 1),
           __builtin_ctz((unsigned)a | 256), __builtin_ctzl(v));
    printf("%x %lx\n", __builtin_bswap32((unsigned)a), __builtin_bswap64(u));
  }
}

static void overflow(void) {
  int r;
  unsigned long w;
  printf("%d", __builtin_add_overflow(2147483647, 1, &r));
  printf(" %d\n", r);
  printf("%d", __builtin_mul_overflow(65536, 65536, &r));
  printf(" %d\n", r);
  printf("%d", __builtin_sub_overflow(3ul, 4ul, &w));
  printf(" %lu\n", w);
  printf("%d", __builtin_mul_overflow(1ul << 40, 1ul << 20, &w));
  printf(" %lu\n", w);
}

static int side_effects;

static bool touch(bool r) {
  side_effects++;
  return r;
}

static void logic(void) {
  bool r = touch(true) && touch(false) && touch(true);
  r = r || touch(false) || touch(true) || touch(true);
  int x = r ? side_effects : -1;
  x += !r ? 100 : 10;
  printf("%d %d %d\n", r, side_effects, x);
  int i = 5;
  i = i++ + ++x;
  i <<= 2, i |= 1, i ^= 0x55, i &= ~8, i %= 50;
  printf("%d\n", i);
}

int main(void) {
  narrow();
  words();
  overflow();
  logic();
  return (int)(next() & 63);
}
