// SPDX-License-Identifier: MIT
// Names that programs for other checkers use without a declaration, because
// their checker knows them. A family of names is declared when clang has
// complained about one of it, or the text has one (src/front/clang).
#pragma once

#include <heddle_cdefs.h>

#ifdef __HEDDLE_NEEDS_ASSERT_H
#include <assert.h>
#endif

__HEDDLE_BEGIN

#define __HEDDLE_NONDET(prefix)                                                \
  __HEDDLE_BOOL prefix##bool(void);                                            \
  char prefix##char(void);                                                     \
  signed char prefix##schar(void);                                             \
  unsigned char prefix##uchar(void);                                           \
  short prefix##short(void);                                                   \
  unsigned short prefix##ushort(void);                                         \
  int prefix##int(void);                                                       \
  unsigned prefix##uint(void);                                                 \
  unsigned prefix##unsigned(void);                                             \
  long prefix##long(void);                                                     \
  unsigned long prefix##ulong(void);                                           \
  long long prefix##longlong(void);                                            \
  unsigned long long prefix##ulonglong(void);                                  \
  unsigned long prefix##size_t(void);                                          \
  float prefix##float(void);                                                   \
  double prefix##double(void);

#ifdef __HEDDLE_NEEDS_VERIFIER_NAMES
__HEDDLE_NONDET(__VERIFIER_nondet_)
void __VERIFIER_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
unsigned __VERIFIER_tid(void);
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int again);
void __VERIFIER_loop_bound(int rounds);
#endif

// By themselves, since programs declare them in different ways.
#ifdef __HEDDLE_NEEDS_ASSUME
void __VERIFIER_assume(__HEDDLE_TRUTH condition);
#endif
#ifdef __HEDDLE_NEEDS_VERIFIER_ASSERT
void __VERIFIER_assert(__HEDDLE_TRUTH condition);
#endif

#ifdef __HEDDLE_NEEDS_REACH_ERROR
void reach_error(void);
#endif

#ifdef __HEDDLE_NEEDS_NONDET
__HEDDLE_NONDET(nondet_)
#endif

#ifdef __HEDDLE_NEEDS_ESBMC
void __ESBMC_assume(__HEDDLE_TRUTH condition);
void __ESBMC_assert(__HEDDLE_TRUTH condition, const char *text);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
void __ESBMC_yield(void);
#endif

#ifdef __HEDDLE_NEEDS_CPROVER
void __CPROVER_assume(__HEDDLE_TRUTH condition);
void __CPROVER_assert(__HEDDLE_TRUTH condition, const char *text);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
// Says which pairs are kept in order: "WWfence", "WRfence", ...
void __heddle_cprover_fence(const char *const *kinds);
#define __CPROVER_fence(...)                                                   \
  __heddle_cprover_fence((const char *const[]){__VA_ARGS__, 0})
#define __CPROVER_precondition(condition, text)                                \
  __CPROVER_assert(condition, text)
#define __CPROVER_postcondition(condition, text)                               \
  __CPROVER_assert(condition, text)
#endif

// The statement behind a label __CPROVER_ASYNC_n is a thread
// (src/front/lower/async.c).
#ifdef __HEDDLE_NEEDS_ASYNC
int __heddle_async(void) __attribute__((nothrow));
void __heddle_async_end(void) __attribute__((nothrow));
#define __CPROVER_thread_local __thread
#define __HEDDLE_ASYNC for (; __heddle_async(); __heddle_async_end())
#define __CPROVER_ASYNC_0 __HEDDLE_ASYNC __CPROVER_ASYNC_0
#define __CPROVER_ASYNC_1 __HEDDLE_ASYNC __CPROVER_ASYNC_1
#define __CPROVER_ASYNC_2 __HEDDLE_ASYNC __CPROVER_ASYNC_2
#define __CPROVER_ASYNC_3 __HEDDLE_ASYNC __CPROVER_ASYNC_3
#define __CPROVER_ASYNC_4 __HEDDLE_ASYNC __CPROVER_ASYNC_4
#define __CPROVER_ASYNC_5 __HEDDLE_ASYNC __CPROVER_ASYNC_5
#define __CPROVER_ASYNC_6 __HEDDLE_ASYNC __CPROVER_ASYNC_6
#define __CPROVER_ASYNC_7 __HEDDLE_ASYNC __CPROVER_ASYNC_7
#define __CPROVER_ASYNC_8 __HEDDLE_ASYNC __CPROVER_ASYNC_8
#define __CPROVER_ASYNC_9 __HEDDLE_ASYNC __CPROVER_ASYNC_9
#define __CPROVER_ASYNC_10 __HEDDLE_ASYNC __CPROVER_ASYNC_10
#define __CPROVER_ASYNC_11 __HEDDLE_ASYNC __CPROVER_ASYNC_11
#define __CPROVER_ASYNC_12 __HEDDLE_ASYNC __CPROVER_ASYNC_12
#define __CPROVER_ASYNC_13 __HEDDLE_ASYNC __CPROVER_ASYNC_13
#define __CPROVER_ASYNC_14 __HEDDLE_ASYNC __CPROVER_ASYNC_14
#define __CPROVER_ASYNC_15 __HEDDLE_ASYNC __CPROVER_ASYNC_15
#endif

__HEDDLE_END
#undef __HEDDLE_NONDET
