// SPDX-License-Identifier: MIT
// What the host's headers ask: a word has 64 bits, whatever machine a program
// is compiled for.
#pragma once

#define __WORDSIZE 64
#define __WORDSIZE_TIME64_COMPAT32 1
#define __SYSCALL_WORDSIZE 64
