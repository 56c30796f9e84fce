// SPDX-License-Identifier: MIT
// What the Linux kernel tells its compilers.
#pragma once

#include <lkmm.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#define noinline __attribute__((noinline))
#define __must_check
#define __maybe_unused __attribute__((unused))
#define __read_mostly
#define __init
#define __exit
#define ____cacheline_aligned
#define ____cacheline_aligned_in_smp
#define __percpu
