// SPDX-License-Identifier: MIT
// What code of the Linux kernel uses everywhere.
#pragma once

#if __has_include_next(<linux/kernel.h>)
#include_next <linux/kernel.h>
#endif
#include <linux/bug.h>
#include <linux/types.h>
#include <stdio.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define container_of(at, type, member)                                         \
  ((type *)((char *)(1 ? (at) : &((type *)0)->member) - offsetof(type, member)))
#define min(a, b)                                                              \
  ({                                                                           \
    __typeof__(a) __a = (a);                                                   \
    __typeof__(b) __b = (b);                                                   \
    __a < __b ? __a : __b;                                                     \
  })
#define max(a, b)                                                              \
  ({                                                                           \
    __typeof__(a) __a = (a);                                                   \
    __typeof__(b) __b = (b);                                                   \
    __a > __b ? __a : __b;                                                     \
  })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define swap(a, b)                                                             \
  do {                                                                         \
    __typeof__(a) __old = (a);                                                 \
    (a) = (b);                                                                 \
    (b) = __old;                                                               \
  } while (0)
#define printk(...) printf(__VA_ARGS__)
#define pr_info(...) printf(__VA_ARGS__)
#define pr_warn(...) printf(__VA_ARGS__)
#define pr_err(...) printf(__VA_ARGS__)
#define pr_debug(...) ((void)0)
#define KERN_INFO ""
#define KERN_WARNING ""
#define KERN_ERR ""
#define might_sleep() ((void)0)
#define cond_resched() ((void)0)
