// SPDX-License-Identifier: MIT
// What every header of this folder needs: C linkage when included from C++.
#pragma once

#ifdef __cplusplus
#define __HEDDLE_BEGIN extern "C" {
#define __HEDDLE_END }
#define __HEDDLE_NORETURN [[noreturn]]
#define __HEDDLE_BOOL bool
#else
#define __HEDDLE_BEGIN
#define __HEDDLE_END
#define __HEDDLE_NORETURN _Noreturn
#define __HEDDLE_BOOL _Bool
#endif

// A condition: whatever is given, pointers too, is turned into 0 or 1. The
// functions themselves take int, as programs that declare them themselves say.
#ifdef __HEDDLE_RT__
#define __HEDDLE_TRUTH int
#else
#define __HEDDLE_TRUTH __HEDDLE_BOOL
#endif
