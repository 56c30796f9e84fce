// Vectors that are constants or chosen lane by lane, classes of floating point
// numbers, integers of odd widths, addresses that are computed before the
// program runs, and a function with more constants than fit into operands.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int v4 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));
typedef int e4 __attribute__((ext_vector_type(4)));

static v4 numbers = {1, 2, 3, 4};
static s8 halves = (s8)(v4){0x10002, 3, 0x40005, -1};

static e4 pick(e4 which, e4 a, e4 b) {
  return which ? a : b;
}

static void vectors(void) {
  for (int i = 0; i < 8; i++)
    printf("%d %d ", numbers[i % 4], halves[i]);
  e4 r = pick((e4){-1, 0, -1, 0}, (e4){1, 2, 3, 4}, (e4){5, 6, 7, 8});
  v4 s = __builtin_shufflevector(numbers, numbers, 3, -1, 0, 7);
  printf("%d %d %d %d %d %d %d\n", r[0], r[1], r[2], r[3], s[0], s[2], s[3]);
}

// One bit for each class.
#define CLASSES(x)                                                             \
  (__builtin_isfpclass(x, 1) | __builtin_isfpclass(x, 2) << 1 |                \
   __builtin_isfpclass(x, 4) << 2 | __builtin_isfpclass(x, 8) << 3 |           \
   __builtin_isfpclass(x, 16) << 4 | __builtin_isfpclass(x, 32) << 5 |         \
   __builtin_isfpclass(x, 64) << 6 | __builtin_isfpclass(x, 128) << 7 |        \
   __builtin_isfpclass(x, 256) << 8 | __builtin_isfpclass(x, 512) << 9)

static void classes(void) {
  double numbers[] = {NAN, -NAN, INFINITY,    -INFINITY,    0.0,
                      -0., 1,    DBL_MIN / 4, -DBL_MIN / 4, -DBL_MAX};
  for (int i = 0; i < 10; i++)
    printf("%x %x %x ", CLASSES(numbers[i]), CLASSES((float)numbers[i]),
           CLASSES((long double)numbers[i]));
  uint64_t bits = UINT64_C(0x7ff0000000000001);
  uint32_t few = 0xff800001;
  double signaling;
  float small;
  memcpy(&signaling, &bits, sizeof bits);
  memcpy(&small, &few, sizeof few);
  printf("%x %x %d %d %d\n", CLASSES(signaling), CLASSES(small),
         __builtin_issignaling(signaling), __builtin_issignaling(numbers[0]),
         __builtin_issubnormal(numbers[7]));
}

struct wide {
  _Alignas(16) __int128 a;
  long b;
};
static int x;
static uintptr_t above = (uintptr_t)&x + 5, below = (uintptr_t)((char *)&x - 5);

static void odd(void) {
  struct wide w;
  memset(&w, 0x5a, sizeof w);
  printf("%lx %lx %lx\n", (long)w.a, (long)(w.a >> 64), w.b);
  _BitInt(40) some = 1;
  some <<= 39;
  unsigned _BitInt(100) many = 1;
  many <<= 99;
  printf("%lld %llx\n", (long long)some, (unsigned long long)(many >> 60));
  printf("%d %d\n", (int)(above - (uintptr_t)&x), (int)(below - (uintptr_t)&x));
}

#define ADD(n) sum = sum * 3 + (n);
#define ADD4(n) ADD(n) ADD(n + 10007) ADD(n + 20011) ADD(n + 30011)
#define ADD16(n) ADD4(n) ADD4(n + 1) ADD4(n + 2) ADD4(n + 3)
#define ADD64(n) ADD16(n) ADD16(n + 4) ADD16(n + 8) ADD16(n + 12)
#define ADD256(n) ADD64(n) ADD64(n + 16) ADD64(n + 32) ADD64(n + 48)
#define ADD1K(n) ADD256(n) ADD256(n + 64) ADD256(n + 128) ADD256(n + 192)
#define ADD4K(n) ADD1K(n) ADD1K(n + 256) ADD1K(n + 512) ADD1K(n + 768)
#define ADD16K(n) ADD4K(n) ADD4K(n + 1024) ADD4K(n + 2048) ADD4K(n + 3072)

static unsigned constants(unsigned sum) {
  ADD16K(1000000)
  ADD16K(2000000)
  return sum;
}

int main(void) {
  vectors();
  classes();
  odd();
  printf("%u\n", constants(7));
  return 0;
}
