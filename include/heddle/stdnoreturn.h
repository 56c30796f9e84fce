// SPDX-License-Identifier: MIT
// noreturn (C17 7.23).
#pragma once

#include <heddle_cdefs.h>

#define noreturn __HEDDLE_NORETURN
