// SPDX-License-Identifier: MIT
// Inline assembly of AArch64, as kernel-style headers write it: exclusive pairs
// in loops, the atomic instructions of ARMv8.1, acquire and release, waiting.
// run: flags=--target=aarch64-linux-gnu all ok 2
#include <assert.h>
#include <pthread.h>

static int add_return(int n, int *at) {
  int r;
  unsigned failed;
  __asm__ volatile("1: ldxr %w0, %2\n"
                   "   add %w0, %w0, %w3\n"
                   "   stlxr %w1, %w0, %2\n"
                   "   cbnz %w1, 1b\n"
                   "   dmb ish"
                   : "=&r"(r), "=&r"(failed), "+Q"(*at)
                   : "Ir"(n)
                   : "memory");
  return r;
}

static int cas(int *at, int expected, int wanted) {
  int seen, failed;
  __asm__ volatile("1: ldaxr %w0, [%2]\n"
                   "   cmp %w0, %w4\n"
                   "   b.ne 2f\n"
                   "   stlxr %w1, %w3, [%2]\n"
                   "   cbnz %w1, 1b\n"
                   "2:"
                   : "=&r"(seen), "=&r"(failed)
                   : "r"(at), "r"(wanted), "r"(expected)
                   : "memory", "cc");
  return seen;
}

static long cas_by_difference(long *at, long expected, long wanted) {
  long seen, t;
  __asm__ volatile("   prfm pstl1strm, %[at]\n"
                   "1: ldxr %[seen], %[at]\n"
                   "   eor %[t], %[seen], %[expected]\n"
                   "   cbnz %[t], 2f\n"
                   "   stxr %w[t], %[wanted], %[at]\n"
                   "   cbnz %w[t], 1b\n"
                   "2:"
                   : [t] "=&r"(t), [seen] "=&r"(seen), [at] "+Q"(*at)
                   : [expected] "Kr"(expected), [wanted] "r"(wanted));
  return seen;
}

static unsigned char swap_byte(unsigned char *at, unsigned char value) {
  unsigned old, failed;
  __asm__ volatile("1: ldxrb %w0, %2\n"
                   "   stxrb %w1, %w3, %2\n"
                   "   cbnz %w1, 1b"
                   : "=&r"(old), "=&r"(failed), "+Q"(*at)
                   : "r"(value)
                   : "memory");
  return (unsigned char)old;
}

static int load(int *at) {
  int r;
  __asm__ volatile("ldar %w0, %1" : "=r"(r) : "Q"(*at) : "memory");
  return r;
}

static void store(int *at, int value) {
  __asm__ volatile("stlr %w1, %0" : "=Q"(*at) : "rZ"(value) : "memory");
}

static int fetch_add(int n, int *at) {
  __asm__ volatile(".arch_extension lse\n"
                   "ldaddal %w[n], %w[n], %[at]"
                   : [n] "+r"(n), [at] "+Q"(*at)::"memory");
  return n;
}

static void clear_bits(long mask, long *at) {
  __asm__ volatile("stclr %1, %0" : "+Q"(*at) : "r"(mask) : "memory");
}

static long swap(long value, long *at) {
  long old;
  __asm__ volatile("swpl %2, %0, %1"
                   : "=r"(old), "+Q"(*at)
                   : "r"(value)
                   : "memory");
  return old;
}

static int cas_lse(int *at, int expected, int wanted) {
  __asm__ volatile("casal %w0, %w2, %1"
                   : "+r"(expected), "+Q"(*at)
                   : "r"(wanted)
                   : "memory");
  return expected;
}

static int await_equal(int *at, int wanted) {
  int r;
  __asm__ volatile("1: ldar %w0, %1\n"
                   "   cmp %w0, %w2\n"
                   "   b.eq 2f\n"
                   "   yield\n"
                   "   b 1b\n"
                   "2:"
                   : "=&r"(r)
                   : "Q"(*at), "r"(wanted)
                   : "memory", "cc");
  return r;
}

static int word, turn, lock;
static long large = 7;
static unsigned char byte = 9;

static void *other(void *arg) {
  store(&turn, 1);
  while (cas(&lock, 0, 1) != 0) {
  }
  word++;
  store(&lock, 0);
  return arg;
}

int main(void) {
  pthread_t t;
  assert(add_return(3, &word) == 3 && word == 3);
  assert(cas(&word, 1, 2) == 3 && cas(&word, 3, 4) == 3 && word == 4);
  assert(cas_by_difference(&large, 1, 2) == 7);
  assert(cas_by_difference(&large, 7, 15) == 7 && large == 15);
  assert(swap_byte(&byte, 200) == 9 && byte == 200);
  assert(fetch_add(4, &word) == 4 && load(&word) == 8);
  clear_bits(3, &large);
  assert(large == 12 && swap(5, &large) == 12 && large == 5);
  assert(cas_lse(&word, 1, 2) == 8 && cas_lse(&word, 8, 0) == 8 && word == 0);
  pthread_create(&t, NULL, other, NULL);
  assert(await_equal(&turn, 1) == 1);
  while (cas_lse(&lock, 0, 1) != 0) {
  }
  word++;
  store(&lock, 0);
  pthread_join(t, NULL);
  assert(word == 2);
  return 0;
}
