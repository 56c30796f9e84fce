// SPDX-License-Identifier: MIT
// Common definitions (C17 7.19).
#pragma once

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WINT_TYPE__ wint_t; // the host's <wchar.h> asks for it here
#ifdef __cplusplus
#define NULL __null
#else
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
#endif

typedef struct {
  long long __a;
  long double __b;
} max_align_t;

#define offsetof(type, member) __builtin_offsetof(type, member)
