// SPDX-License-Identifier: MIT
// The names by which programs talk to other checkers: those of the competition
// on software verification, of GenMC, Dartagnan and Nidhugg. <heddle.h> says
// what each of them means here.
#include <heddle.h>

#include "builtin.h"

void __VERIFIER_assume(int condition) {
  __heddle_assume(condition);
}

void __VERIFIER_error(void) {
  __heddle_fail(FIND_ASSERTION, "__VERIFIER_error was reached");
}

void reach_error(void);
void reach_error(void) {
  __heddle_fail(FIND_ASSERTION, "reach_error was reached");
}

void __VERIFIER_assert(int condition) {
  if (!condition)
    __heddle_assert_fail("__VERIFIER_assert", "", 0, "");
}

unsigned __VERIFIER_tid(void) {
  return (unsigned)__heddle_self();
}

// -- marks: Heddle sees spin loops by itself, and needs no bounds for them

void __VERIFIER_loop_begin(void) {}

void __VERIFIER_spin_start(void) {}

void __VERIFIER_spin_end(int again) {
  (void)again;
}

void __VERIFIER_loop_bound(int rounds) {
  (void)rounds;
}

// -- choices

#define NONDET(name, type)                                                     \
  type __VERIFIER_nondet_##name(void) {                                        \
    return (type)__heddle_choose(0, 1);                                        \
  }                                                                            \
  type nondet_##name(void) {                                                   \
    return (type)__heddle_choose(0, 1);                                        \
  }
NONDET(bool, _Bool)
NONDET(_Bool, _Bool)
#undef NONDET

// These have more values than are tried.
#define NONDET(name, type, lo, hi)                                             \
  type __VERIFIER_nondet_##name(void) {                                        \
    return (type)__heddle_sample("__VERIFIER_nondet_" #name, lo, hi);          \
  }                                                                            \
  type nondet_##name(void) {                                                   \
    return (type)__heddle_sample("nondet_" #name, lo, hi);                     \
  }
NONDET(char, char, -1, 2)
NONDET(schar, signed char, -1, 2)
NONDET(uchar, unsigned char, 0, 3)
NONDET(short, short, -1, 2)
NONDET(ushort, unsigned short, 0, 3)
NONDET(int, int, -1, 2)
NONDET(uint, unsigned, 0, 3)
NONDET(unsigned, unsigned, 0, 3)
NONDET(long, long, -1, 2)
NONDET(ulong, unsigned long, 0, 3)
NONDET(longlong, long long, -1, 2)
NONDET(ulonglong, unsigned long long, 0, 3)
NONDET(size_t, unsigned long, 0, 3)
NONDET(u8, unsigned char, 0, 3)
NONDET(u16, unsigned short, 0, 3)
NONDET(u32, unsigned, 0, 3)
NONDET(loff_t, long long, -1, 2)
NONDET(sector_t, unsigned long long, 0, 3)
NONDET(float, float, -1, 2)
NONDET(double, double, -1, 2)

// -- sections that exclude each other. Nested ones are one.

static int section;
static _Thread_local int depth;

void __VERIFIER_atomic_begin(void) {
  if (depth++ == 0)
    __heddle_lock(&section);
}

void __VERIFIER_atomic_end(void) {
  if (depth <= 0)
    __heddle_fail(FIND_UNLOCK_NOT_HELD,
                  "__VERIFIER_atomic_end without __VERIFIER_atomic_begin");
  if (--depth == 0)
    __heddle_unlock(&section);
}

// -- what CBMC and ESBMC call these

#define CHECKER(name)                                                          \
  void __##name##_assume(int condition);                                       \
  void __##name##_assert(int condition, const char *text);                     \
  void __##name##_atomic_begin(void);                                          \
  void __##name##_atomic_end(void);                                            \
  void __##name##_assume(int condition) {                                      \
    __heddle_assume(condition);                                                \
  }                                                                            \
  void __##name##_assert(int condition, const char *text) {                    \
    if (!condition)                                                            \
      __heddle_assert_fail(text, "", 0, "");                                   \
  }                                                                            \
  void __##name##_atomic_begin(void) {                                         \
    __VERIFIER_atomic_begin();                                                 \
  }                                                                            \
  void __##name##_atomic_end(void) {                                           \
    __VERIFIER_atomic_end();                                                   \
  }
CHECKER(CPROVER)
CHECKER(ESBMC)

// Fences keep the pairs in order that they name, such as writes and later reads
// (WR), which only a full one does. That reads stay before reads is what loads
// wait for on every machine that has such a barrier.
void __heddle_cprover_fence(const char *const *kinds);

void __heddle_cprover_fence(const char *const *kinds) {
  enum { RR = 1, RW = 2, WR = 4, WW = 8 };
  unsigned kept = 0;
  for (; *kinds; kinds++)
    if ((*kinds)[2] == 'f') // not "WWcumul"
      kept |= 1u << (2 * ((*kinds)[0] == 'W') + ((*kinds)[1] == 'W'));
  if (kept & WR)
    __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
  else if (kept == (RR | RW | WW))
    __c11_atomic_thread_fence(__ATOMIC_ACQ_REL);
  else if (kept & RR)
    __c11_atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (kept & WW)
    __asm__ volatile("dmb ishst" : : : "memory");
}

void __ESBMC_yield(void);
void __ESBMC_yield(void) {}

// -- awaits: read (and write `value`) once the comparison with `operand` holds.
// The condition is a sum of 1 (greater), 2 (equal), 4 (less), and 8 if the
// numbers are signed.

static int holds(long order, int condition) {
  return condition & (order < 0 ? 4 : order == 0 ? 2 : 1);
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))
#define AWAITS(name, type, signed_type)                                        \
  type __VERIFIER_load_await_##name(_Atomic(type) *at, int condition,          \
                                    type operand);                             \
  type __VERIFIER_xchg_await_##name(_Atomic(type) *at, type value,             \
                                    int condition, type operand);              \
  static int await_holds_##name(type seen, int condition, type operand) {      \
    long order = condition & 8                                                 \
                     ? COMPARE((signed_type)seen, (signed_type)operand)        \
                     : COMPARE((unsigned signed_type)seen,                     \
                               (unsigned signed_type)operand);                 \
    return holds(order, condition);                                            \
  }                                                                            \
  type __VERIFIER_load_await_##name(_Atomic(type) *at, int condition,          \
                                    type operand) {                            \
    type seen;                                                                 \
    do                                                                         \
      seen = __c11_atomic_load(at, __ATOMIC_SEQ_CST);                          \
    while (!await_holds_##name(seen, condition, operand));                     \
    return seen;                                                               \
  }                                                                            \
  type __VERIFIER_xchg_await_##name(_Atomic(type) *at, type value,             \
                                    int condition, type operand) {             \
    type seen = __VERIFIER_load_await_##name(at, condition, operand);          \
    while (!__c11_atomic_compare_exchange_strong(                              \
        at, &seen, value, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))                 \
      seen = __VERIFIER_load_await_##name(at, condition, operand);             \
    return seen;                                                               \
  }
AWAITS(i8, signed char, char)
AWAITS(i16, short, short)
AWAITS(i32, int, int)
AWAITS(i64, long, long)
AWAITS(aint, int, int)
AWAITS(along, long, long)
AWAITS(auint, unsigned, int)
AWAITS(aulong, unsigned long, long)
