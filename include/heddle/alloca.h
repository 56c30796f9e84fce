// SPDX-License-Identifier: MIT
// Memory that goes with the function.
#pragma once

#undef alloca
#define alloca(size) __builtin_alloca(size)
