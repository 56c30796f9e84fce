// What is seldom written: labels as values, atomic arithmetic of floating point,
// calls of libatomic by name, aggregates as values, conversions and formats of
// all kinds.
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

// libatomic by name, as a program that was compiled for an older machine calls
// it.
uint8_t __atomic_load_1(const volatile void *, int);
uint32_t __atomic_load_4(const volatile void *, int);
uint64_t __atomic_load_8(const volatile void *, int);
void __atomic_store_2(volatile void *, uint16_t, int);
void __atomic_store_8(volatile void *, uint64_t, int);
uint32_t __atomic_exchange_4(volatile void *, uint32_t, int);
uint32_t __atomic_fetch_add_4(volatile void *, uint32_t, int);
uint8_t __atomic_fetch_sub_1(volatile void *, uint8_t, int);
uint64_t __atomic_fetch_and_8(volatile void *, uint64_t, int);
uint32_t __atomic_fetch_or_4(volatile void *, uint32_t, int);
uint32_t __atomic_fetch_xor_4(volatile void *, uint32_t, int);
uint16_t __atomic_fetch_nand_2(volatile void *, uint16_t, int);
bool __atomic_compare_exchange_4(volatile void *, void *, uint32_t, int, int);
bool __atomic_compare_exchange_8(volatile void *, void *, uint64_t, int, int);

static uint8_t u8 = 5;
static uint16_t u16 = 0xfff0;
static uint32_t u32 = 70000;
static uint64_t u64 = UINT64_C(0x123456789abcdef0);

static void libatomic(void) {
  printf("%u %u %" PRIx64 "\n", __atomic_load_1(&u8, __ATOMIC_RELAXED),
         __atomic_load_4(&u32, __ATOMIC_ACQUIRE),
         __atomic_load_8(&u64, __ATOMIC_SEQ_CST));
  __atomic_store_2(&u16, 0x1234, __ATOMIC_RELEASE);
  __atomic_store_8(&u64, UINT64_MAX - 5, __ATOMIC_SEQ_CST);
  printf("%x %" PRIx64 "\n", u16, u64);
  printf("%u\n", __atomic_exchange_4(&u32, 9, __ATOMIC_ACQ_REL));
  printf("%u %u\n", __atomic_fetch_add_4(&u32, -10u, __ATOMIC_RELAXED), u32);
  printf("%u %u\n", __atomic_fetch_sub_1(&u8, 6, __ATOMIC_CONSUME), u8);
  printf("%" PRIx64 " %" PRIx64 "\n",
         __atomic_fetch_and_8(&u64, 0xff00ff, __ATOMIC_SEQ_CST), u64);
  u32 = 12;
  printf("%u ", __atomic_fetch_or_4(&u32, 3, __ATOMIC_SEQ_CST));
  printf("%u ", __atomic_fetch_xor_4(&u32, 5, __ATOMIC_SEQ_CST));
  printf("%u ", __atomic_fetch_nand_2(&u16, 0xff, __ATOMIC_SEQ_CST));
  printf("%u %u\n", u32, u16);
  uint32_t expected = 11;
  bool ok = __atomic_compare_exchange_4(&u32, &expected, 20, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED);
  printf("%d %u %u\n", ok, expected, u32);
  expected = 10;
  ok = __atomic_compare_exchange_4(&u32, &expected, 20, __ATOMIC_SEQ_CST,
                                   __ATOMIC_ACQUIRE);
  printf("%d %u %u\n", ok, expected, u32);
  uint64_t wide = 0;
  ok = __atomic_compare_exchange_8(&u64, &wide, 1, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED);
  printf("%d %" PRIx64 "\n", ok, wide);
  volatile size_t sizes[] = {1, 4, 8};
  for (int i = 0; i < 3; i++)
    printf("%d ", __atomic_is_lock_free(sizes[i], &u64));
  printf("\n");
}

static double d = 1.5;
static float f = -0.5f;

static void floats(void) {
  printf("%g ", __atomic_fetch_add(&d, 2.25, __ATOMIC_SEQ_CST));
  printf("%g ", __atomic_fetch_sub(&d, 0.5, __ATOMIC_RELAXED));
  printf("%g ", d);
  printf("%g ", (double)__atomic_fetch_add(&f, 1.0f, __ATOMIC_SEQ_CST));
  printf("%g\n", (double)f);
}

// Labels as values: of a table, and taken where they are used.
static int labels(int n) {
  static const void *const table[] = {&&zero, &&one, &&many};
  const void *end = &&done;
  int sum = 0;
  goto *table[n > 2 ? 2 : n];
many:
  sum += 100;
  goto *(sum > 150 ? &&one : end);
one:
  sum += 10;
zero:
  sum += 1;
  goto *end;
done:
  return sum;
}

struct pair {
  int64_t a;
  double b;
};
struct three {
  char text[3];
};
struct mixed {
  float x, y;
  int z;
};

static struct pair make_pair(int64_t a) {
  return (struct pair){a, (double)a / 2};
}
static struct three make_three(char c) {
  return (struct three){{c, (char)(c + 1), 0}};
}
static struct mixed make_mixed(float x) {
  return (struct mixed){x, x * 2, 7};
}
static struct pair swap(struct pair p) {
  return (struct pair){(int64_t)p.b, (double)p.a};
}

static void aggregates(void) {
  struct pair p = swap(make_pair(9));
  struct mixed m = make_mixed(1.25f);
  printf("%" PRId64 " %g %s %g %g %d\n", p.a, p.b, make_three('a').text,
         (double)m.x, (double)m.y, m.z);
  _Complex double z = 1.0 + 2.0i, w = z * (3.0 - 1.0i);
  printf("%g %g\n", __real__ w, __imag__ w);
}

static void sizes(void) {
  char text[10];
  char *volatile p = text;
  printf("%d %d %d\n", (int)__builtin_object_size(p, 0),
         (int)__builtin_object_size(p, 2), __builtin_constant_p(p));
}

static void formats(void) {
  double values[] = {0.0, 1.0, -1234.5678, 1e100, 1e-7, INFINITY};
  for (int i = 0; i < 6; i++) {
    printf("%e %E %.2e %f %F ", values[i], values[i], values[i], values[i],
           values[i]);
    printf("%g %G %a %A\n", values[i], values[i], values[i], values[i]);
    long double l = values[i];
    printf("%Le %LE %LF %LG %LA\n", l, l, l, l, l);
  }
  printf("%F %E %G\n", (double)NAN, -INFINITY, (double)NAN);
}

static void remainders(void) {
  printf("%g %g %Lg\n", fmod(7.5, 2), (double)fmodf(-7.5f, 2),
         fmodl(7.25L, -2.0L));
  long double x = 7.25L;
  unsigned __int128 big = (unsigned __int128)1 << 100;
  printf("%g %d\n", (double)x, (int)(big >> 98));
}

int main(void) {
  libatomic();
  floats();
  printf("%d %d %d\n", labels(0), labels(1), labels(2));
  aggregates();
  sizes();
  formats();
  remainders();
  return 0;
}
