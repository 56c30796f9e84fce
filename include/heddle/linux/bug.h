// SPDX-License-Identifier: MIT
// Conditions that must not hold. What the kernel only warns of is an error too.
#pragma once

#include <linux/compiler.h>

#define BUG() assert(!"BUG")
#define WARN(condition, ...) WARN_ON(condition)
#define WARN_ON_ONCE(condition) WARN_ON(condition)
#define WARN_ONCE(condition, ...) WARN_ON(condition)
#define VM_BUG_ON(condition) BUG_ON(condition)
#define BUILD_BUG_ON(condition)                                                \
  _Static_assert(!(condition), "BUILD_BUG_ON: " #condition)
