// SPDX-License-Identifier: MIT
// Jumps out of calls, within a thread. There are no signal masks.
#pragma once

#if defined __HEDDLE_HOST__ && __has_include_next(<setjmp.h>)
#include_next <setjmp.h>
#else
#include <heddle_cdefs.h>

__HEDDLE_BEGIN
// As large as the host's, since another file of the program may use that.
struct __heddle_jmp_buf {
  long __mark[25];
};
typedef struct __heddle_jmp_buf jmp_buf[1], sigjmp_buf[1];

int setjmp(jmp_buf) __attribute__((returns_twice));
int _setjmp(jmp_buf) __attribute__((returns_twice));
int sigsetjmp(sigjmp_buf, int) __attribute__((returns_twice));
void longjmp(jmp_buf, int) __attribute__((noreturn));
void _longjmp(jmp_buf, int) __attribute__((noreturn));
void siglongjmp(sigjmp_buf, int) __attribute__((noreturn));
__HEDDLE_END

#define setjmp(place) setjmp(place)
#endif
