// SPDX-License-Identifier: MIT
// Inline assembly of x86-64 that only computes: shifts, rotations, extensions,
// carries and conditional moves yield what the processor says, also of values
// that were never set.
// expect: all ok 1
#include <assert.h>
#include <stdint.h>

static void shifts(void) {
  uint64_t x = 0x8000000000000001;
  uint32_t y = 0x80000001;
  __asm__("shlq $4, %0" : "+r"(x));
  assert(x == 0x10);
  __asm__("sarl $1, %0" : "+r"(y));
  assert(y == 0xc0000000);
  __asm__("shrl %0" : "+r"(y));
  assert(y == 0x60000000);
  // The count is taken modulo the width.
  __asm__("shrl %%cl, %0" : "+r"(y) : "c"(36));
  assert(y == 0x06000000);
  __asm__("roll $8, %0" : "+r"(y));
  assert(y == 0x00000006);
  __asm__("rorq $8, %0" : "+r"(x));
  assert(x == 0x1000000000000000);
  __asm__("rorq $0, %0" : "+r"(x));
  assert(x == 0x1000000000000000);
}

static void arithmetic(void) {
  uint32_t x = 5, carry, seven = 7;
  int8_t small = -2;
  int64_t wide;
  __asm__("negl %0; sbbl %1, %1" : "+r"(x), "=r"(carry)::"cc");
  assert(x == (uint32_t)-5 && carry == UINT32_MAX);
  __asm__("imull %1, %0" : "+r"(x) : "r"(seven));
  assert(x == (uint32_t)-35);
  __asm__("movsbl %1, %0" : "=r"(x) : "q"(small));
  assert(x == (uint32_t)-2);
  __asm__("movslq %1, %0" : "=r"(wide) : "r"(x));
  assert(wide == -2);
  __asm__("movzbl %1, %0" : "=r"(x) : "m"(small));
  assert(x == 0xfe);
  __asm__("bswapl %0" : "+r"(x));
  assert(x == 0xfe000000);
}

// The sum of two numbers of 128 bits.
static void carries(void) {
  uint64_t low = UINT64_MAX, high = 1;
  __asm__("addq %2, %0; adcq %3, %1"
          : "+r"(low), "+r"(high)
          : "r"((uint64_t)2), "r"((uint64_t)3)
          : "cc");
  assert(low == 1 && high == 5);
}

static void conditions(void) {
  int a = 3, least = 9, bits = 0x28, old;
  __asm__("cmpl %1, %0; cmovgl %1, %0" : "+r"(least) : "r"(a) : "cc");
  assert(least == 3);
  __asm__("btl $3, %1; setc %b0" : "=q"(old) : "r"(bits) : "cc");
  assert((old & 0xff) == 1);
  __asm__("lock; btsl %2, %1; sbbl %0, %0"
          : "=r"(old), "+m"(bits)
          : "Ir"(4)
          : "memory", "cc");
  assert(old == 0 && bits == 0x38);
}

// 1: less than 0, were there no overflow; 2: overflow; 4: the sign; 8: carry.
#define FLAGS(r)                                                               \
  "setl %b[l]; seto %b[o]; sets %b[s]; setc %b[c]" : [l] "=&q"(r[0]),          \
                                                     [o] "=&q"(r[1]),          \
                                                     [s] "=&q"(r[2]),          \
                                                     [c] "=&q"(r[3])

static int of_sum(int x, int y) {
  _Bool r[4];
  __asm__("addl %[y], %[x];" FLAGS(r), [x] "+&r"(x) : [y] "r"(y) : "cc");
  return r[0] + 2 * r[1] + 4 * r[2] + 8 * r[3];
}

static int of_difference(int x, int y) {
  _Bool r[4];
  __asm__("subl %[y], %[x];" FLAGS(r), [x] "+&r"(x) : [y] "r"(y) : "cc");
  return r[0] + 2 * r[1] + 4 * r[2] + 8 * r[3];
}

// With a carry of 1.
static int of_long_difference(int x, int y) {
  _Bool r[4];
  __asm__("btl $0, %[y]; sbbl %[y], %[x];" FLAGS(r), [x] "+&r"(x)
          : [y] "r"(y)
          : "cc");
  return r[0] + 2 * r[1] + 4 * r[2] + 8 * r[3];
}

static int of_next(int x) {
  _Bool r[4];
  __asm__("cmpl $1, %[x]; incl %[x];" FLAGS(r), [x] "+&r"(x)::"cc");
  return r[0] + 2 * r[1] + 4 * r[2] + 8 * r[3];
}

static void signs(void) {
  assert(of_sum(1, 2) == 0 && of_sum(1, -2) == 1 + 4);
  assert(of_sum(INT32_MAX, 1) == 2 + 4 && of_sum(-1, 1) == 8);
  assert(of_sum(INT32_MIN, -1) == 1 + 2 + 8);
  assert(of_difference(2, 1) == 0 && of_difference(1, 2) == 1 + 4 + 8);
  assert(of_difference(INT32_MIN, 1) == 1 + 2);
  assert(of_difference(INT32_MAX, -1) == 2 + 4 + 8);
  assert(of_long_difference(4, 3) == 0);
  assert(of_long_difference(3, 3) == 1 + 4 + 8);
  assert(of_long_difference(INT32_MIN, INT32_MAX) == 1 + 2);
  assert(of_next(0) == 8 && of_next(-2) == 1 + 4); // inc keeps the carry
  assert(of_next(INT32_MAX) == 2 + 4);
}

// A count of references that an update has left below 0, and a word that a
// failed exchange compared with what was expected.
static void updates(void) {
  int count = 1, step = -2, expected = 5, old;
  _Bool is_less, is_left;
  __asm__("lock; xaddl %1, %0; setle %2"
          : "+m"(count), "+r"(step), "=q"(is_less)
          :
          : "memory", "cc");
  assert(count == -1 && step == 1 && is_less);
  __asm__("lock; decl %0; setg %1"
          : "+m"(count), "=q"(is_left)
          :
          : "memory", "cc");
  assert(count == -2 && !is_left);
  __asm__("lock; cmpxchgl %3, %1; setg %2"
          : "=a"(old), "+m"(count), "=q"(is_left)
          : "r"(7), "0"(expected)
          : "memory", "cc");
  assert(count == -2 && old == -2 && is_left);
}

static void addresses(void) {
  int pair[2] = {1, 2}, *second;
  __asm__("leaq 4(%1), %0" : "=r"(second) : "r"(pair));
  assert(*second == 2);
}

// What programs say to a tool that may run them: a few rotations that change
// nothing, and an answer that is the default unless the tool is there.
static uint64_t request(uint64_t otherwise) {
  uint64_t words[6] = {1}, answer = otherwise;
  __asm__ volatile("rolq $3, %%rdi ; rolq $13, %%rdi\n\t"
                   "rolq $61, %%rdi ; rolq $51, %%rdi\n\t"
                   "xchgq %%rbx, %%rbx"
                   : "=d"(answer)
                   : "a"(words), "0"(otherwise)
                   : "cc", "memory");
  return answer;
}

int main(void) {
  uint32_t low, high;
  shifts();
  arithmetic();
  carries();
  conditions();
  signs();
  updates();
  addresses();
  assert(request(42) == 42);
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return 0;
}
