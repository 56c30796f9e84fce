// SPDX-License-Identifier: MIT
// What a program can say to the checker. Include <heddle.h>; it is found with
// --system-headers too. To compile the same program natively, give each of
// these names a definition of your own.
#pragma once

#include <heddle_cdefs.h>

__HEDDLE_BEGIN

// Only executions in which the condition holds count: the thread stops here
// otherwise, and the execution is counted as blocked, not as an error.
void heddle_assume(__HEDDLE_TRUTH condition);

// Any number from lo to hi, both included: every one of them is explored.
// Small ranges keep the number of executions small.
long heddle_choose(long lo, long hi);

// An error (kind "unreachable") if this place is ever reached.
__HEDDLE_NORETURN void heddle_unreachable(void);

// Makes a local variable, or any expression, part of the final state: `heddle
// explore` counts its values, and conditions of `heddle why` can name it, as r1
// or, when several threads observe an r1, as T1:r1. The last value that a
// thread observes counts. It is no access to memory and orders nothing.
void __heddle_observe(const char *name, unsigned long size, long value);
#define heddle_observe(value)                                                  \
  __heddle_observe(#value, sizeof #value - 1, (long)(value))

// Like assert, but NDEBUG does not switch it off. (With `--disable assertion`
// the program goes on after it, so it may return.)
void __assert_fail(const char *expression, const char *file, unsigned line,
                   const char *function);
#define heddle_assert(condition)                                               \
  ((condition) ? (void)0                                                       \
               : __assert_fail(#condition, __FILE__, __LINE__, __func__))

// Waits until the condition does not hold any more. A plain loop does the same:
// Heddle sees by itself that a round changed nothing. The names below are those
// of annotated programs; the marks around loops mean nothing here.
#define heddle_await_while(condition)                                          \
  while (condition) {                                                          \
  }
#ifndef await_while
#define await_while(condition) while (condition)
#define await_do do
#define while_await(condition) while (condition)
#endif
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int again);
void __VERIFIER_loop_bound(int rounds);

// The names that verification benchmarks use. A program may also declare them
// itself. A nondet function is a real choice from a small range: bool 0..1; the
// other unsigned types 0..3; the signed types, char, float and double -1..2.
// Only bool is exact: if no error is found and another one was called, the
// answer is incomplete (exit code 3). Use heddle_choose to state a range, all
// of which is explored.
void __VERIFIER_assume(__HEDDLE_TRUTH condition);
void __VERIFIER_assert(int condition); // programs define it, too
__HEDDLE_NORETURN void __VERIFIER_error(void);
unsigned __VERIFIER_tid(void); // of this thread; main is 0
__HEDDLE_BOOL __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
signed char __VERIFIER_nondet_schar(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
unsigned __VERIFIER_nondet_unsigned(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
unsigned long __VERIFIER_nondet_size_t(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);

// What lies between the two, and the body of each function that is named
// __VERIFIER_atomic_ and something, is done by one thread at a time, as if one
// mutex protected it all. Code outside of such sections is not excluded.
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

__HEDDLE_END
