// SPDX-License-Identifier: MIT
// Sixteen bytes at once on AArch64: loops of ldxp and stxp, with the halves
// compared by eor and orr or by cmp and ccmp, and casp. A stack whose top has a
// counter, as libraries write it. A casa whose old value goes to the zero
// register acquires nothing (ZERO).
// run: flags=-DWAY=0 flags=--target=aarch64-linux-gnu args=--races args=model sc,armv8 ok
// run: flags=-DWAY=1 flags=--target=aarch64-linux-gnu args=--races args=model sc,armv8 ok
// run: flags=-DWAY=2 flags=--target=aarch64-linux-gnu args=--races args=model sc,armv8 ok
// run: flags=-DWAY=3 flags=--target=aarch64-linux-gnu args=--races args=model armv8 error race
// run: flags=-DZERO flags=--target=aarch64-linux-gnu armv8 error assertion; sc ok
// run: flags=-DZERO flags=-DOLD flags=--target=aarch64-linux-gnu sc,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef ZERO
static atomic_int x, y;

static void *other(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t t;
  int old = 1;
  pthread_create(&t, NULL, other, NULL);
#ifdef OLD
  __asm__ volatile("casa %w0, %w2, %1" : "+r"(old), "+Q"(y) : "r"(2) : "memory");
#else
  old = 0;
  __asm__ volatile("casa wzr, %w1, %0" : "+Q"(y) : "r"(2) : "memory");
  old = atomic_load_explicit(&y, memory_order_relaxed) == 1;
#endif
  assert(!old || atomic_load_explicit(&x, memory_order_relaxed)); // BUG
  pthread_join(t, NULL);
  return 0;
}
#else

struct node {
  int value;
  struct node *next;
};
struct top {
  struct node *first;
  uint64_t count;
} __attribute__((aligned(16)));
static struct top top;

static bool exchange(struct top *at, struct top from, struct top to) {
#if WAY == 2
  register uint64_t x0 __asm__("x0") = (uint64_t)from.first;
  register uint64_t x1 __asm__("x1") = from.count;
  register uint64_t x2 __asm__("x2") = (uint64_t)to.first;
  register uint64_t x3 __asm__("x3") = to.count;
  __asm__ volatile("caspal %0, %1, %2, %3, [%4]"
                   : "+r"(x0), "+r"(x1)
                   : "r"(x2), "r"(x3), "r"(at)
                   : "memory");
  return x0 == (uint64_t)from.first && x1 == from.count;
#else
  uint64_t a, b;
  uint32_t failed = 1;
#if WAY == 1
  __asm__ volatile("1: ldaxp %0, %1, [%3]\n"
                   "   cmp %0, %4\n"
                   "   ccmp %1, %5, #0, eq\n"
                   "   b.ne 2f\n"
                   "   stlxp %w2, %6, %7, [%3]\n"
                   "   cbnz %w2, 1b\n"
                   "2:"
                   : "=&r"(a), "=&r"(b), "+&r"(failed)
                   : "r"(at), "r"(from.first), "r"(from.count), "r"(to.first),
                     "r"(to.count)
                   : "memory", "cc");
  return a == (uint64_t)from.first && b == from.count;
#else
  __asm__ volatile("1:"
                   "ldxp %0, %1, [%2]\n"
                   "eor %0, %0, %3\n"
                   "eor %1, %1, %4\n"
                   "orr %1, %0, %1\n"
                   "mov %w0, #0\n"
                   "cbnz %1, 2f\n"
#if WAY == 3
                   "stxp %w0, %5, %6, [%2]\n"
#else
                   "stlxp %w0, %5, %6, [%2]\n"
#endif
                   "cbnz %w0, 1b\n"
                   "mov %w0, #1\n"
                   "2:"
                   : "=&r"(a), "=&r"(b)
                   : "r"(at), "r"(from.first), "r"(from.count), "r"(to.first),
                     "r"(to.count)
                   : "cc", "memory");
  return a;
#endif
#endif
}

static struct node nodes[2];

static struct top look(void) {
  struct top seen;
  seen.count = __atomic_load_n(&top.count, __ATOMIC_ACQUIRE);
  seen.first = __atomic_load_n(&top.first, __ATOMIC_ACQUIRE);
  return seen;
}

static void *run(void *arg) {
  struct node *n = arg;
  n->value = 42; // BUG
  struct top seen, now;
  do {
    seen = look();
    __atomic_store_n(&n->next, seen.first, __ATOMIC_RELAXED);
    now = (struct top){n, seen.count + 1};
  } while (!exchange(&top, seen, now));
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, &nodes[0]);
  struct top seen = look();
  if (seen.first)
    assert(seen.first->value == 42); // BUG
  run(&nodes[1]);
  pthread_join(t, NULL);
  assert(top.count == 2 && top.first && top.first->next && !top.first->next->next);
  return 0;
}
#endif
