// SPDX-License-Identifier: MIT
// Assertions (C17 7.2). No include guard: NDEBUG may differ at each inclusion.
#include <heddle_cdefs.h>

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                      \
  ((condition) ? (void)0                                                       \
               : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif

#ifndef __cplusplus
#undef static_assert
#define static_assert _Static_assert
#endif

__HEDDLE_BEGIN
void __assert_fail(const char *expression, const char *file, unsigned line,
                   const char *function);
__HEDDLE_END
