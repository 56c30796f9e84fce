// SPDX-License-Identifier: MIT
// Inline assembly of x86-64 with operands, one thread: what each form yields.
// expect: all ok 1
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct pair {
  uint64_t low, high;
} __attribute__((aligned(16)));

static bool cas(int *at, int expected, int wanted) {
  bool done;
  __asm__ __volatile__("lock cmpxchgl %2, %0; setz %1"
                       : "+m"(*at), "=a"(done)
                       : "q"(wanted), "a"(expected)
                       : "memory", "cc");
  return done;
}

static bool cas_value(int *at, int expected, int wanted, int *seen) {
  bool done;
  __asm__ __volatile__("lock cmpxchg %3, %0;"
                       "mov %% eax, %2;"
                       "setz %1;"
                       : "+m"(*at), "=a"(done), "=m"(*seen)
                       : "q"(wanted), "a"(expected)
                       : "memory", "cc");
  return done;
}

static bool cas_pair(struct pair *at, struct pair expected,
                     struct pair wanted) {
  bool done;
  __asm__ __volatile__("lock cmpxchg16b %0; setz %1"
                       : "+m"(*at), "=q"(done)
                       : "a"(expected.low), "d"(expected.high), "b"(wanted.low),
                         "c"(wanted.high)
                       : "memory", "cc");
  return done;
}

static int load(const int *at) {
  int r;
  __asm__ __volatile__("movl %1, %0" : "=q"(r) : "m"(*at) : "memory");
  return r;
}

static void store(int *at, int value) {
  __asm__ __volatile__("movl %1, %0" : "=m"(*at) : "iq"(value) : "memory");
}

static uint8_t swap_byte(uint8_t *at, uint8_t value) {
  __asm__ __volatile__("xchgb %0, %1" : "+q"(value), "+m"(*at)::"memory");
  return value;
}

static int fetch_add(int *at, int n) {
  __asm__ __volatile__("lock; xaddl %[n], (%[at])"
                       : [n] "+r"(n)
                       : [at] "r"(at)
                       : "memory");
  return n;
}

static bool dec_and_test(int *at) {
  bool is_zero;
  __asm__ __volatile__("lock decl %0" : "+m"(*at), "=@ccz"(is_zero)::"memory");
  return is_zero;
}

static bool inc_is_negative(long *at) {
  uint8_t is_negative;
  __asm__ __volatile__("lock incq %0\n\tsets %1"
                       : "+m"(*at), "=qm"(is_negative)
                       :
                       : "memory");
  return is_negative;
}

static bool set_bit(uint64_t *at, uint64_t bit) {
  bool was;
  __asm__ __volatile__("lock btsq %2, %0; setc %1"
                       : "+m"(*at), "=q"(was)
                       : "ri"(bit)
                       : "memory");
  return was;
}

static bool clear_bit(uint32_t *at, uint32_t bit) {
  bool was;
  __asm__ __volatile__("lock btrl %2, %0\n\tsetc %1"
                       : "+m"(*at), "=q"(was)
                       : "Ir"(bit)
                       : "memory");
  return was;
}

static void arithmetic(int *at) {
  __asm__ __volatile__("lock addl $5, %0" : "+m"(*at));            // 5
  __asm__ __volatile__("lock subl %1, %0" : "+m"(*at) : "ir"(2));  // 3
  __asm__ __volatile__("lock orl %1, %0" : "+m"(*at) : "ir"(8));   // 11
  __asm__ __volatile__("lock andl %1, %0" : "+m"(*at) : "ir"(~1)); // 10
  __asm__ __volatile__("lock xorl %1, %0" : "+m"(*at) : "ir"(3));  // 9
  __asm__ __volatile__("lock notl %0" : "+m"(*at));                // -10
}

// Empty text: the outputs are the inputs that share their place.
static int opaque(int x, int y) {
  __asm__("" : "+r"(x));
  __asm__ __volatile__("" : "+rm"(x) : : "memory");
  __asm__("" : "+r"(x), "+g"(y));
  __asm__ __volatile__("" : : "r"(&x), "m"(y) : "memory");
  return 10 * x + y;
}

static int word = 3, counter = 2;
static long large = -2;
static uint8_t byte = 9;
static uint64_t bits;
static uint32_t half = 7;
static struct pair both;
static int made;

int main(void) {
  int seen = -1;
  assert(!cas(&word, 0, 4) && cas(&word, 3, 4) && word == 4);
  assert(!cas_value(&word, 9, 1, &seen) && seen == 4);
  assert(cas_value(&word, 4, 1, &seen) && seen == 4 && word == 1);
  struct pair none = {0, 0}, some = {1, 2};
  assert(cas_pair(&both, none, some) && !cas_pair(&both, none, some));
  assert(cas_pair(&both, some, none));
  store(&word, 42);
  assert(load(&word) == 42);
  assert(swap_byte(&byte, 200) == 9 && byte == 200);
  assert(fetch_add(&word, -2) == 42 && word == 40);
  assert(!dec_and_test(&counter) && dec_and_test(&counter));
  assert(inc_is_negative(&large) && !inc_is_negative(&large));
  assert(!set_bit(&bits, 40) && set_bit(&bits, 40) && bits == 1ull << 40);
  assert(clear_bit(&half, 1) && !clear_bit(&half, 1) && half == 5);
  arithmetic(&made);
  assert(made == -10);
  assert(opaque(3, 4) == 34);
  __asm__ __volatile__("pause" ::: "memory");
  return 0;
}
