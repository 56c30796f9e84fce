// SPDX-License-Identifier: MIT
// Variable arguments (C17 7.16).
#pragma once

typedef __builtin_va_list va_list;
#ifndef __GNUC_VA_LIST // the name in glibc's headers
#define __GNUC_VA_LIST 1
typedef __builtin_va_list __gnuc_va_list;
#endif
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
