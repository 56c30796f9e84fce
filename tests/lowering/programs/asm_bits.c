// x86-64 instructions that count bits, and flags of arithmetic as values.
#include <stdint.h>
#include <stdio.h>

static void count(uint64_t x) {
  uint64_t first = 99, last = 98, ones;
  uint32_t low = 77, half = (uint32_t)x;
  uint8_t is_none;
  __asm__("bsfq %1, %0" : "+r"(first) : "rm"(x) : "cc");
  __asm__("bsrq %2, %0\n\tsetz %1" : "+r"(last), "=q"(is_none) : "r"(x) : "cc");
  __asm__("popcnt %1, %0" : "=r"(ones) : "r"(x) : "cc");
  __asm__("bsfl %1, %0" : "+r"(low) : "r"(half) : "cc");
  printf("%lu %lu %d %lu %u\n", first, last, is_none, ones, low);
}

static void flags(uint32_t x, uint32_t y) {
  uint8_t carry, below, less, sign, zero, above;
  uint32_t sum = x, difference = x, more = x, rest = x, both = x, again = x;
  __asm__("addl %2, %0\n\tsetc %1" : "+r"(sum), "=q"(carry) : "r"(y) : "cc");
  __asm__("subl %2, %0\n\tsetb %1"
          : "+r"(difference), "=q"(below) : "r"(y) : "cc");
  __asm__("subl %2, %0\n\tsetl %1" : "+r"(more), "=q"(less) : "r"(y) : "cc");
  __asm__("subl %2, %0\n\tseta %1" : "+r"(rest), "=q"(above) : "r"(y) : "cc");
  __asm__("andl %2, %0\n\tsets %1" : "+r"(both), "=q"(sign) : "r"(y) : "cc");
  __asm__("xorl %2, %0\n\tsetbe %1" : "+r"(again), "=q"(zero) : "r"(y) : "cc");
  printf("%u %u %u: %d%d%d%d%d%d\n", sum, difference, both, carry, below, less,
         above, sign, zero);
}

int main(void) {
  const uint64_t values[] = {0, 1, 6, 0x80000000, 0x100000000, UINT64_MAX,
                             UINT64_C(1) << 63};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
    for (unsigned k = 0; k < sizeof values / sizeof *values; k++)
      flags((uint32_t)values[i], (uint32_t)values[k]);
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
    count(values[i]);
  return 0;
}
