// SPDX-License-Identifier: MIT
// The Linux kernel's names for types, and the host's header of this name, which
// other headers of the host include.
#pragma once

#if __has_include_next(<linux/types.h>)
#include_next <linux/types.h>
#endif
#ifndef __ASSEMBLY__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64; // as the kernel has it everywhere
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef long long s64;
typedef unsigned gfp_t;

struct list_head {
  struct list_head *next, *prev;
};
struct hlist_node {
  struct hlist_node *next, **pprev;
};
struct hlist_head {
  struct hlist_node *first;
};
#endif
