// SPDX-License-Identifier: MIT
// What instructions of AArch64 compute in inline assembly: registers by their
// names, numbers, conditions, complements, also between an exclusive load and
// its store.
// run: flags=--target=aarch64-linux-gnu sc,rc11,imm ok 1
#include <assert.h>

static long computed(long a, long b) {
  long r;
  __asm__("mov x9, #5\n"
          "add x10, x9, #-2\n"
          "sub %0, %1, x10\n"
          "orr %0, %0, %2\n"
          "eor %0, %0, x9\n"
          : "=&r"(r)
          : "r"(a), "r"(b)
          : "x9", "x10");
  return r;
}

static unsigned complements(unsigned a, unsigned b) {
  unsigned r, s;
  __asm__("bic %w0, %w2, %w3\n"
          "mvn %w1, %w3\n"
          "and %w1, %w1, #255\n"
          "add %w0, %w0, %w1\n"
          : "=&r"(r), "=&r"(s)
          : "r"(a), "r"(b));
  return r;
}

#define CONDITION(name)                                                        \
  static int is_##name(int a, int b) {                                         \
    int r;                                                                     \
    __asm__("cmp %w1, %w2\n cset %w0, " #name                                  \
            : "=r"(r)                                                          \
            : "r"(a), "r"(b)                                                   \
            : "cc");                                                           \
    return r;                                                                  \
  }
CONDITION(eq)
CONDITION(ne)
CONDITION(lt)
CONDITION(ge)
CONDITION(gt)
CONDITION(le)
CONDITION(lo)
CONDITION(hs)
CONDITION(hi)
CONDITION(ls)

static long zeros(void) {
  long r;
  __asm__("mov %0, #-1\n and %0, %0, xzr\n orr %w0, %w0, #6" : "=r"(r));
  return r;
}

static int clear_bits(int *at, int mask) {
  int old, now, failed;
  __asm__ volatile("1: ldxr %w0, %3\n"
                   "   bic %w1, %w0, %w4\n"
                   "   stxr %w2, %w1, %3\n"
                   "   cbnz %w2, 1b"
                   : "=&r"(old), "=&r"(now), "=&r"(failed), "+Q"(*at)
                   : "r"(mask)
                   : "memory");
  return old;
}

static int word = 0x3f, values[4] = {1, 2, 3, 4};

static int third(int *at) {
  int r;
  __asm__ volatile("ldr %w0, [%1, #8]\n str %w0, [%1,#4]"
                   : "=&r"(r)
                   : "r"(at)
                   : "memory");
  return r;
}

static unsigned long counter(void) {
  unsigned long now;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
}

int main(void) {
  assert(counter() == 0);
  assert(computed(100, 2) == (((100 - 3) | 2) ^ 5));
  assert(complements(0xff0f, 0x0f3c) == (0xff0fu & ~0x0f3cu) + 0xc3);
  for (int a = -1; a <= 1; a++) {
    assert(is_eq(a, 0) == (a == 0) && is_ne(a, 0) == (a != 0));
    assert(is_lt(a, 0) == (a < 0) && is_ge(a, 0) == (a >= 0));
    assert(is_gt(a, 0) == (a > 0) && is_le(a, 0) == (a <= 0));
    unsigned u = (unsigned)a;
    assert(is_lo(a, 1) == (u < 1) && is_hs(a, 1) == (u >= 1));
    assert(is_hi(a, 0) == (u > 0) && is_ls(a, 0) == (u <= 0));
  }
  assert(zeros() == 6);
  assert(clear_bits(&word, 0x15) == 0x3f && word == 0x2a);
  assert(third(values) == 3 && values[1] == 3 && values[0] == 1);
  return 0;
}
